"""The rules, as pure functions: facts and ``now`` in, a decision out."""
