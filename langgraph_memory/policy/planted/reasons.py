"""Why a statement from outside is set aside, in words."""

DISREGARD = "it tells its reader to disregard instructions"
KEEP = "it asks its reader to keep a rule"
MODEL = "it speaks to a model"
ROLE = "it gives its reader another role"
TOOL = "it tells its reader to use a tool"
SECRECY = "it asks its reader to keep something from the user"
SEND = "it asks its reader to send something somewhere"

Words = dict[str, tuple[str, ...]]
"""By reason, the patterns by which it is known; without regard to case."""
