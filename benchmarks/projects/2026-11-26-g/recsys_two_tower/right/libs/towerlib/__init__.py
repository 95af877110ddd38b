from .ledger import GradientLedger
from .modes import at_rest
from .ranking import recall
from .towers import TwoTower

__all__ = ["GradientLedger", "TwoTower", "at_rest", "recall"]
