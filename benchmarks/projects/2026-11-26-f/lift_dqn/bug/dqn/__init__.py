from .agent import LiftAgent
from .building import Building
from .curiosity import Curiosity
from .replay import Replay

__all__ = ["Building", "Curiosity", "LiftAgent", "Replay"]
