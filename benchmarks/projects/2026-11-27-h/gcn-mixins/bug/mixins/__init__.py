from mixins.precision import LossScaling
from mixins.scoring import Scoring
from mixins.updating import Updating

__all__ = ["LossScaling", "Scoring", "Updating"]
