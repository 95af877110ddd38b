from .rollout import collect, discounted, score
from .update import descend, unwrap

__all__ = ["collect", "descend", "discounted", "score", "unwrap"]
