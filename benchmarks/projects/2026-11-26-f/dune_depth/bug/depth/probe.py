import math

from torch.nn.utils import clip_grad_norm_


class Probe:
    def __init__(self, net):
        self.net = net
        self.norms, self.calls = [], 0

    def count(self):
        self.calls += 1

    def watch(self):
        self.norms.append(float(clip_grad_norm_(self.net.parameters(), math.inf)))

    def summary(self):
        norms, self.norms = self.norms, []
        return f"batches {self.calls} gradient {sum(norms) / len(norms):.4f}"
