"""The store beside LangGraph's own, and beside what the hardware allows.

``python -m benchmarks.store`` prints one table. Each contender lives in a process of its own
(``worker``), and the driver steps all of them through the same rows in turn, round by round,
so that whatever else the machine does in those minutes happens to all of them.

The words here: a *row* is one kind of call that is timed, a *contender* is a store, and the
*floor* is the least that the same call could cost: the bare SQLite transaction that writes
the same rows, or the bare scan of the same vectors plus decoding what is returned.
"""
