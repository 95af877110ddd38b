import torch
from torch.nn.functional import l1_loss

from mixins.amp import AmpMixin
from mixins.limits import LimitMixin
from mixins.watch import WatchMixin
from settings import CHECK_DTYPE, EPOCHS


class TanneryTrainer(AmpMixin, LimitMixin, WatchMixin):
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
        self.lengths = []
        self.set_up_amp()

    def turn(self, hide, thickness):
        self.optimizer.zero_grad(set_to_none=True)
        with self.cast():
            loss = l1_loss(self.net(hide), thickness)
        self.scaled_backward(loss)
        self.watch()
        self.limit()
        self.scaled_step()
        return loss.item()

    @torch.no_grad()
    def check(self, batches):
        self.net.eval()
        with torch.autocast("cuda", dtype=CHECK_DTYPE):
            return sum(l1_loss(self.net(x), y).item() for x, y in batches) / len(batches)

    def fit(self, batches, held_out):
        for epoch in range(EPOCHS):
            self.net.train()
            mean = sum(self.turn(x, y) for x, y in batches) / len(batches)
            print(f"{epoch}: {mean:.4f} {self.check(held_out):.4f} {max(self.lengths):.3f}")
