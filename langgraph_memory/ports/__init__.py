"""The contracts between the memory and everything it stands on.

The prose here is the law; implementations are checked against it by contract tests. A
database that keeps these promises can take SQLite's place without a line changed above.

Theory of the whole. The database is the truth. In one write transaction a statement, its
words, its vectors and one outbox row become visible together or not at all. Indexes read
the outbox in the order of its sequence numbers and may be late, lost or wrong: they only
propose rows, and every proposal is read back from the database, which decides.
"""

from langgraph_memory.ports.access import Counts, Grants
from langgraph_memory.ports.basics import Clock, IdFactory, Lifetime, Rows, Space, Vectors
from langgraph_memory.ports.database import Database, Transaction
from langgraph_memory.ports.embedders import (
    AskedPieces,
    Embedder,
    LateEmbedder,
    Signs,
    is_late,
    no_pieces,
)
from langgraph_memory.ports.index import (
    FieldIndex,
    Meeting,
    Neighbour,
    Neighbours,
    PassedError,
    VectorIndex,
    WordIndex,
)
from langgraph_memory.ports.models import (
    ChatMessage,
    ChatModel,
    Citation,
    Closed,
    Reply,
    Request,
    TokenCounter,
    Tool,
    ToolCall,
)
from langgraph_memory.ports.pieces import Pieces
from langgraph_memory.ports.queue import Outbox, OutboxRow
from langgraph_memory.ports.records import Chain, IndexEntry, Records, Shown, Stored, Use
from langgraph_memory.ports.state import RunState
from langgraph_memory.ports.transcript import Events, Job, Jobs
from langgraph_memory.ports.trials import Trials
from langgraph_memory.ports.upkeep import Audit, Heard, Reindexing, Seal, Told
from langgraph_memory.ports.words import Holders, WordMatches, Words, WordTable

__all__ = [
    "AskedPieces",
    "Audit",
    "Chain",
    "ChatMessage",
    "ChatModel",
    "Citation",
    "Clock",
    "Closed",
    "Counts",
    "Database",
    "Embedder",
    "Events",
    "FieldIndex",
    "Grants",
    "Heard",
    "Holders",
    "IdFactory",
    "IndexEntry",
    "Job",
    "Jobs",
    "LateEmbedder",
    "Lifetime",
    "Meeting",
    "Neighbour",
    "Neighbours",
    "Outbox",
    "OutboxRow",
    "PassedError",
    "Pieces",
    "Records",
    "Reindexing",
    "Reply",
    "Request",
    "Rows",
    "RunState",
    "Seal",
    "Shown",
    "Signs",
    "Space",
    "Stored",
    "TokenCounter",
    "Told",
    "Tool",
    "ToolCall",
    "Transaction",
    "Trials",
    "Use",
    "VectorIndex",
    "Vectors",
    "WordIndex",
    "WordMatches",
    "WordTable",
    "Words",
    "is_late",
    "no_pieces",
]
