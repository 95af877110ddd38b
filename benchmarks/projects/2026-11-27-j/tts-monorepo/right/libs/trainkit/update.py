from dataclasses import dataclass

from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler


@dataclass
class Update:
    optimizer: Optimizer
    schedule: LRScheduler
    max_norm: float

    def limit(self) -> float:
        params = [p for g in self.optimizer.param_groups for p in g["params"]]
        return clip_grad_norm_(params, self.max_norm).item()

    def apply(self) -> None:
        self.optimizer.step()
        self.schedule.step()

    def clear(self) -> None:
        self.optimizer.zero_grad(set_to_none=True)
