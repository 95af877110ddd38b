import torch


class OptimizerPack:
    """One optimizer for each named part of a network."""

    def __init__(self, net, specs):
        self.members = {}
        for part, spec in specs.items():
            kw = {k: v for k, v in spec.items() if k != "kind"}
            self.members[part] = getattr(torch.optim, spec["kind"])(getattr(net, part).parameters(), **kw)

    def zero_grad(self):
        for opt in self.members.values():
            opt.zero_grad(set_to_none=True)

    def step(self):
        for opt in self.members.values():
            opt.step()
