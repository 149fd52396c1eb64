"""Forgetting: by any name, for everybody at once, and all of one owner's."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.errors import AmbiguousReferenceError, NotFoundError
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.testing import HashingEmbedder


@pytest.mark.parametrize("by", ["id", "short id", "key", "words", "part of the words"])
def test_a_memory_is_forgotten_by_any_name(home: Home, me: ScopedMemory, by: str) -> None:
    """R60, B76: gone from every read path in the same moment."""
    done = me.remember("Lina owns deployment", key="owner")
    names = {
        "id": done.id,
        "short id": done.id[:8],
        "key": "owner",
        "words": "lina owns  deployment.",
        "part of the words": "owns deployment",
    }
    me.forget(names[by])
    assert not me.recall("Who owns deployment?").evidence
    assert me.contents().total == 0
    assert home.store.get(done.namespace, "owner") is None
    assert home.store.search(done.namespace[:3], query="Lina owns deployment") == []
    with pytest.raises(NotFoundError):
        me.inspect(done.id)


def test_two_matches_change_nothing_and_ask_which(me: ScopedMemory) -> None:
    a, b = me.remember("I like green tea"), me.remember("I like black tea")
    with pytest.raises(AmbiguousReferenceError) as caught:
        me.forget("tea")
    assert set(caught.value.matches) == {a.id, b.id}
    assert me.contents().total == 2


def test_a_quotation_is_of_whole_words(me: ScopedMemory) -> None:
    """A part of a word names nothing: forgetting "me" is not forgetting "time"."""
    me.remember("I spend my time in Rome")
    for reference in ("me", "tim", "Rom", "end my"):
        with pytest.raises(NotFoundError):
            me.forget(reference)
    me.remember("用户喜欢寿司")
    assert me.forget("寿司").content == "用户喜欢寿司"
    assert me.forget("time in Rome").content == "I spend my time in Rome"


@pytest.mark.parametrize("reference", ["nothing", "", "0" * 20, "%", "_"])
def test_an_unknown_reference_is_not_found(me: ScopedMemory, reference: str) -> None:
    """B96: no success is reported where nothing was done."""
    me.remember("I like tea")
    with pytest.raises(NotFoundError):
        me.forget(reference)


def test_a_foreign_id_is_not_found_in_the_same_words(
    me: ScopedMemory, stranger: ScopedMemory
) -> None:
    """B10: neither deleted nor admitted to exist."""
    mine = me.remember("I like tea", key="drink")
    for reference in (mine.id, mine.id[:8], "drink", "I like tea"):
        with pytest.raises(NotFoundError) as caught:
            stranger.forget(reference)
        assert type(caught.value) is NotFoundError
    assert me.contents().total == 1


def test_a_nearer_ghost_does_not_eat_a_result(me: ScopedMemory) -> None:
    """B76: with one slot, the living answer is returned."""
    me.remember("The launch is on Friday", key="old")
    me.remember("The launch date was discussed at length on a Tuesday", key="live")
    me.forget("old")
    [hit] = me.recall("The launch is on Friday", limit=1).evidence
    assert hit.record.key == "live"


def test_an_explicit_new_statement_continues_the_chain(me: ScopedMemory) -> None:
    me.remember("I like tea", key="drink")
    me.forget("drink")
    again = me.remember("I like coffee", key="drink")
    assert (again.effect, again.version) == (Effect.SUPERSEDE, 3)
    [hit] = me.recall("What do I like to drink?").evidence
    assert hit.content == "I like coffee"


def test_a_purge_removes_all_of_one_owner_and_nothing_else(
    home: Home, me: ScopedMemory, stranger: ScopedMemory
) -> None:
    """R61, B77: counts by place, a second look, and the neighbour untouched."""
    for memory, thread in ((me, "mine"), (stranger, "theirs")):
        memory.remember("I like tea", key="drink")
        memory.remember("I like coffee", key="drink")
        home.agent().invoke(
            {"messages": [("user", "What do I like?")]},
            {"configurable": {"thread_id": thread}},
            context=memory.context(),
        )
    receipt = me.purge()
    assert receipt.removed["records"] == 1
    assert receipt.removed["events"] == 2
    assert receipt.removed["threads"] == 1
    assert receipt.removed["checkpoints"] > 0
    assert not any(receipt.remaining.values())
    assert home.checkpointer.get_tuple({"configurable": {"thread_id": "mine"}}) is None
    assert me.recall("What do I like?").stored == 0
    assert stranger.recall("What do I like?").evidence
    assert home.checkpointer.get_tuple({"configurable": {"thread_id": "theirs"}}) is not None


def test_a_purge_leaves_no_byte_in_the_database(home: Home, me: ScopedMemory) -> None:
    """R61, B79: neither statements nor the owner's id stay behind in the files."""
    me.remember("The secret ingredient is quetzalcoatl", key="ingredient")
    me.capture([Utterance("t", "1", "user", "My secret is quetzalcoatl")])
    me.purge()
    for file in home.path.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert b"quetzalcoatl" not in content, file
            assert b"jane.doe" not in content, file


def test_work_that_was_under_way_brings_nothing_back(home: Home, me: ScopedMemory) -> None:
    """R63: a consolidation that read before the purge writes nothing after it."""
    from langgraph_memory.operations.remember import remember_all
    from langgraph_memory.operations.statements import Statement

    [captured] = me.capture([Utterance("t", "1", "user", "My sister lives in Lisbon")])
    papers = me.inspect(me.remember("x y z").id).record.head.provenance
    statement = Statement(captured.event.content, me.bound, papers, explicit=False)
    me.purge()
    assert remember_all(home._parts.engine, [statement], read=captured.event) == []
    assert me.contents().total == 0


def test_a_purge_of_nothing_says_so(me: ScopedMemory) -> None:
    receipt = me.purge()
    assert not any(receipt.removed.values())


def test_a_purged_home_can_be_used_again(me: ScopedMemory) -> None:
    me.remember("I like tea")
    me.purge()
    assert me.remember("I like tea").version == 1
    assert me.recall("Do I like tea?").evidence


def test_a_purge_leaves_no_vector_in_the_index_folder(home: Home, me: ScopedMemory) -> None:
    """R61, B79: the bytes of an erased vector leave the files of the index too."""
    me.remember("The secret ingredient is saffron", key="ingredient")
    assert home.sync_index()
    with home._parts.database.read() as tx:
        [stored] = tx.records.live((), now=None)
        blob = tx.records.vectors([stored.row])[stored.row][0].astype("<f4").tobytes()
    receipt = me.purge()
    assert not any("chroma" in each for each in receipt.outside)
    path = home.path
    home.close()
    for file in path.rglob("*"):
        if file.is_file():
            assert blob not in file.read_bytes(), file


def test_checkpoints_that_a_run_wrote_meanwhile_are_found_by_looking_again(
    home: Home, me: ScopedMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R61: a turn that ends between two steps of the purge leaves nothing behind."""
    agent, saver = home.agent(), home.checkpointer
    config: RunnableConfig = {"configurable": {"thread_id": "busy"}}
    agent.invoke({"messages": [("user", "Hello out there")]}, config, context=me.context())
    delete = saver.delete_thread
    late = iter([True])

    def delete_then_run(thread_id: str) -> None:
        delete(thread_id)
        if next(late, False):
            message = {"messages": [("user", "My pin is 4711 for the door")]}
            agent.invoke(message, config, context=me.context())

    monkeypatch.setattr(saver, "delete_thread", delete_then_run)
    receipt = me.purge()
    assert not any(receipt.remaining.values())
    assert saver.count("busy") == 0
    assert me.contents().events == 0


def test_a_purge_among_others_leaves_no_byte_in_unused_parts_of_pages(
    tmp_path: Path, settings: Settings
) -> None:
    """R61, B79: SQLite overwrites what it frees, but moving rows leaves copies behind them."""
    embedder = HashingEmbedder()
    with open_memory(tmp_path / "home", settings=settings, embedder=embedder) as home:
        bob, jane = (home.memory.scope(tenant="t", user=user) for user in ("bob", "jane"))
        for number in range(150):
            bob.remember(f"bob fact {number} banana{number}", key=f"b{number}")
        for number in range(50):
            jane.remember(f"My secretword{number} is xylophonic{number}", key=f"keyname{number}")
        receipt = jane.purge()
        assert not any(receipt.remaining.values())
        assert bob.contents().total == 150
    for path in (tmp_path / "home").rglob("*"):
        if path.is_file():
            assert b"xylophonic" not in path.read_bytes(), path


def test_a_sweep_leaves_no_word_of_what_has_expired(tmp_path: Path, settings: Settings) -> None:
    """R23: full text only marks words as gone until its parts are merged."""
    with open_memory(tmp_path / "home", settings=settings, embedder=HashingEmbedder()) as home:
        home.store.put(("a",), "kept", {"text": "something else"})
        home.store.put(("a",), "k", {"text": "passport zq77345612 of jane"}, ttl=0.0005)
        time.sleep(0.05)
        assert home.store.sweep_ttl() == 1
    for path in (tmp_path / "home").rglob("*"):
        if path.is_file():
            assert b"zq77345612" not in path.read_bytes(), path
            assert b"77345612" not in path.read_bytes(), path
