"""What memory adds to a turn: the ready graph beside a graph that only answers."""
