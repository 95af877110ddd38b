from contextlib import nullcontext

import torch


class Full:
    def step_scope(self):
        return nullcontext()


class Brain:
    def step_scope(self):
        return torch.autocast("cpu", dtype=torch.bfloat16)


def pick(name):
    return {"full": Full, "brain": Brain}[name]()
