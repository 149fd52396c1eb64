"""The main job on real input, shown and checked step by step."""
