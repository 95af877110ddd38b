import random
from collections import defaultdict

import numpy as np
import torch


def fix_seed(seed):
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)


class MetricLogger:
    def __init__(self):
        self.total = defaultdict(float)
        self.count = defaultdict(int)

    def update(self, **kwargs):
        for k, v in kwargs.items():
            self.total[k] += v
            self.count[k] += 1

    def averages(self):
        return {k: round(self.total[k] / self.count[k], 5) for k in self.total}


class NativeScalerWithGradNormCount:
    state_dict_key = "amp_scaler"

    def __init__(self, device_type, enabled=True):
        self._scaler = torch.amp.GradScaler(device_type, init_scale=1024.0, enabled=enabled)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if not update_grad:
            return None
        self._scaler.unscale_(optimizer)
        max_norm = clip_grad if clip_grad is not None else float("inf")
        norm = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
        self._scaler.step(optimizer)
        self._scaler.update()
        return norm

    def state_dict(self):
        return self._scaler.state_dict()

    def load_state_dict(self, state_dict):
        self._scaler.load_state_dict(state_dict)
