from contextlib import contextmanager
from dataclasses import dataclass

import torch


@dataclass
class Precision:
    device: str = "cpu"
    dtype: str = "float16"

    @contextmanager
    def region(self):
        with torch.autocast(self.device, dtype=getattr(torch, self.dtype)):
            yield

    def make_scaler(self):
        return torch.amp.GradScaler(self.device, init_scale=1024.0, enabled=self.dtype == "float16")
