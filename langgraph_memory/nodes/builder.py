"""The ready graph: capture → retrieve → validate → respond → consolidate.

Two turnings off that way: a change that waits for a review goes by ``approve``, and a message
that the model understood as an order to memory goes back to ``capture``, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph

from langgraph_memory.models.choosing import Models
from langgraph_memory.nodes.approve import aapprove, approve
from langgraph_memory.nodes.capture import acapture, capture
from langgraph_memory.nodes.consolidate import aconsolidate, consolidate
from langgraph_memory.nodes.context import MemoryContext
from langgraph_memory.nodes.respond import Responder
from langgraph_memory.nodes.retrieve import aretrieve, avalidate, retrieve, validate
from langgraph_memory.nodes.state import InputState, OutputState, PrivateState, State
from langgraph_memory.ports import ChatModel

Graph = StateGraph[Any, MemoryContext, InputState, OutputState]


def build(model: ChatModel | Models) -> Graph:
    """Return the graph, not yet compiled: bind a checkpointer and one of our stores.

    Args:
        model: Who answers, or several that a run may choose from.
    """
    models = model if isinstance(model, Models) else Models(model)
    responder = Responder(models)
    graph: Graph = StateGraph(
        State, context_schema=MemoryContext, input_schema=InputState, output_schema=OutputState
    )
    for name, node, twin in (
        ("capture", capture, acapture),
        ("approve", approve, aapprove),
        ("retrieve", retrieve, aretrieve),
        ("validate", validate, avalidate),
        ("respond", responder.respond, responder.arespond),
        ("consolidate", consolidate, aconsolidate),
    ):
        graph.add_node(name, _both(node, twin, name), input_schema=PrivateState)
    graph.add_edge(START, "capture")
    graph.add_conditional_edges("capture", _after_capture)
    graph.add_edge("approve", "retrieve")
    graph.add_edge("retrieve", "validate")
    graph.add_edge("validate", "respond")
    graph.add_conditional_edges("respond", _after_respond)
    graph.add_edge("consolidate", END)
    return graph


def _both(node: Callable[..., Any], twin: Callable[..., Any], name: str) -> Any:
    return RunnableLambda(node, afunc=twin, name=name)


def _after_capture(state: PrivateState) -> Literal["approve", "retrieve"]:
    waits = state["run_state"]["pending_approvals"]
    return "approve" if waits else "retrieve"


def _after_respond(state: PrivateState) -> Literal["capture", "consolidate"]:
    return "capture" if state.get("asked") else "consolidate"
