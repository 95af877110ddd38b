from .commit import Committer
from .gradients import backward
from .mixed import make_scaler

__all__ = ["Committer", "backward", "make_scaler"]
