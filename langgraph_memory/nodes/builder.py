"""The ready graph: capture → retrieve → validate → respond → consolidate."""

from __future__ import annotations

from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph

from langgraph_memory.nodes.capture import capture
from langgraph_memory.nodes.consolidate import consolidate
from langgraph_memory.nodes.respond import Responder
from langgraph_memory.nodes.retrieve import retrieve, validate
from langgraph_memory.nodes.state import InputState, MemoryContext, OutputState, State
from langgraph_memory.ports import ChatModel


def build(model: ChatModel) -> StateGraph[State, MemoryContext, InputState, OutputState]:
    """Return the graph, not yet compiled: bind a checkpointer and one of our stores.

    Args:
        model: Who answers.
    """
    responder = Responder(model)
    graph = StateGraph(
        State, context_schema=MemoryContext, input_schema=InputState, output_schema=OutputState
    )
    graph.add_node("capture", capture)
    graph.add_node("retrieve", retrieve)
    graph.add_node("validate", validate)
    graph.add_node("respond", RunnableLambda(responder.respond, afunc=responder.arespond))
    graph.add_node("consolidate", consolidate)
    graph.add_edge(START, "capture")
    graph.add_edge("capture", "retrieve")
    graph.add_edge("retrieve", "validate")
    graph.add_edge("validate", "respond")
    graph.add_edge("respond", "consolidate")
    graph.add_edge("consolidate", END)
    return graph
