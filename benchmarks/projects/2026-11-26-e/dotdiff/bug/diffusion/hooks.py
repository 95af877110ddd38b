from collections import defaultdict

import torch
from torch.nn.utils import clip_grad_norm_


class HookBoard:
    def __init__(self):
        self._hooks = defaultdict(list)

    def on(self, event, fn):
        self._hooks[event].append(fn)
        return self

    def emit(self, event, **info):
        for fn in self._hooks[event]:
            fn(**info)


def limit_norm(max_norm):
    def hook(net, **_):
        clip_grad_norm_(net.parameters(), max_norm)

    return hook


class EmaHook:
    def __init__(self, net, decay=0.95):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def __call__(self, net, **_):
        for k, v in net.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.decay)
