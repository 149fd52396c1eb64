"""Whether a new statement takes the place of an old one, and what it contradicts."""
