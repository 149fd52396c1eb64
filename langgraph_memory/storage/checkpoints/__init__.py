"""Run state: the checkpointer of a home, one SQLite file beside the memory database."""

from langgraph_memory.storage.checkpoints.saver import CheckpointSaver

__all__ = ["CheckpointSaver"]
