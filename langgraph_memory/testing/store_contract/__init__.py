"""A conformance suite for LangGraph stores: any ``BaseStore``, through both of its doors.

Inherit :class:`StoreContract`, say how to make a store, and pytest does the rest::

    from langgraph_memory.testing import StoreContract

    class TestMyStore(StoreContract):
        def make_store(self, tmp_path, *, index=None, ttl=None):
            return MyStore(tmp_path / "my.db", index=index, ttl=ttl)

``make_store`` may also be a context manager, or return one; an async one is entered in the
event loop that the test then uses::

    class TestMyAsyncStore(StoreContract):
        doors = ("async",)                      # no sync door: its tests are not run
        supports_index = False                  # no vectors here: their tests are skipped
        gaps = {"test_a_limit_of_zero_is_an_empty_page": "returns one item"}

        @asynccontextmanager
        async def make_store(self, tmp_path, *, index=None, ttl=None):
            async with AsyncMyStore.open(tmp_path / "my.db", ttl=ttl) as store:
                yield store

Each test is written once and run through ``put`` and through ``aput``; no pytest plugin is
needed. A gap is run, too, and must fail: when the store gets better, the suite says which
excuse to drop. What a store cannot do by nature it says in ``doors``, ``supports_index``,
``persistent``, ``loop_bound``, and in ``supports_ttl`` of ``BaseStore``; the tests skipped for
it are named in pytest's report. See :class:`StoreHarness` for all of them.

Three grounds for a test, strongest first; a docstring names its ground where it is not plain:

* LangGraph documents it (docstrings of ``langgraph.store.base``, langgraph-checkpoint 4.3).
* LangGraph's own stores agree on it, or those that keep their data in a database do.
* It follows from what a store is: what one caller wrote comes back unchanged, and no row
  of somebody else's makes a call fail.

Where the documentation is silent and the stores differ, there is no test. Ids such as B1
name kinds of failure seen in the field. To run one area only, inherit one of the parts,
such as :class:`FilterContract`.

:class:`MemoryStoreContract` adds what this package's own store promises beyond that.
"""

from __future__ import annotations

import pytest

# Without this pytest would show a failed assertion, but not the values that it compared.
pytest.register_assert_rewrite(
    *(
        f"{__name__}.{part}"
        for part in (
            *("basics", "batches", "concurrency", "extras", "filters", "indexing", "listing"),
            *("namespaces", "renewal", "search", "timestamps", "ttl", "values"),
        )
    )
)

from langgraph_memory.testing.store_contract.basics import BasicsContract  # noqa: E402
from langgraph_memory.testing.store_contract.batches import BatchContract  # noqa: E402
from langgraph_memory.testing.store_contract.concurrency import ConcurrencyContract  # noqa: E402
from langgraph_memory.testing.store_contract.door import Door, Opened, Way  # noqa: E402
from langgraph_memory.testing.store_contract.embedding import (  # noqa: E402
    HashingEmbeddings,
    text_index,
)
from langgraph_memory.testing.store_contract.extras import MemoryStoreExtras  # noqa: E402
from langgraph_memory.testing.store_contract.filters import FilterContract  # noqa: E402
from langgraph_memory.testing.store_contract.harness import StoreHarness  # noqa: E402
from langgraph_memory.testing.store_contract.indexing import (  # noqa: E402
    IndexPathContract,
    IndexUpdateContract,
    UnindexedContract,
)
from langgraph_memory.testing.store_contract.listing import ListingContract  # noqa: E402
from langgraph_memory.testing.store_contract.namespaces import (  # noqa: E402
    IsolationContract,
    LabelContract,
    NamespaceListingContract,
)
from langgraph_memory.testing.store_contract.renewal import RenewalContract  # noqa: E402
from langgraph_memory.testing.store_contract.search import SearchContract  # noqa: E402
from langgraph_memory.testing.store_contract.timestamps import TimestampContract  # noqa: E402
from langgraph_memory.testing.store_contract.ttl import (  # noqa: E402
    ExpiryContract,
    OmitExpiredContract,
    SweeperContract,
)
from langgraph_memory.testing.store_contract.values import ValueContract  # noqa: E402


class TtlContract(ExpiryContract, RenewalContract, OmitExpiredContract, SweeperContract):
    """Everything about lifetimes."""


class StoreContract(
    BasicsContract,
    BatchContract,
    ListingContract,
    LabelContract,
    IsolationContract,
    NamespaceListingContract,
    FilterContract,
    ValueContract,
    TimestampContract,
    SearchContract,
    IndexPathContract,
    UnindexedContract,
    IndexUpdateContract,
    TtlContract,
    ConcurrencyContract,
):
    """LangGraph's contract for a store. Inherit it and define ``make_store``."""


class MemoryStoreContract(StoreContract, MemoryStoreExtras):
    """LangGraph's contract, and what this package's store promises beyond it."""


__all__ = [
    "BasicsContract",
    "BatchContract",
    "ConcurrencyContract",
    "Door",
    "ExpiryContract",
    "FilterContract",
    "HashingEmbeddings",
    "IndexPathContract",
    "IndexUpdateContract",
    "IsolationContract",
    "LabelContract",
    "ListingContract",
    "MemoryStoreContract",
    "MemoryStoreExtras",
    "NamespaceListingContract",
    "OmitExpiredContract",
    "Opened",
    "RenewalContract",
    "SearchContract",
    "StoreContract",
    "StoreHarness",
    "SweeperContract",
    "TimestampContract",
    "TtlContract",
    "UnindexedContract",
    "ValueContract",
    "Way",
    "text_index",
]
