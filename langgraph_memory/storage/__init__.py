"""Where memories, run state and indexes are kept. The parts know each other only by ports."""
