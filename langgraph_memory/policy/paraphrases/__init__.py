"""Whether two statements say the same in other words."""
