import torch

from .meters import Meters
from .net import info_nce
from .stepper import BackwardStep


class Trainer:
    def __init__(self, net, loader, held_out, stop, lr=0.02, accum=3, clip=0.5):
        self.net, self.loader, self.held_out, self.stop = net, loader, held_out, stop
        self.accum, self.clip = accum, clip
        self.backward_step = BackwardStep(torch.optim.Adam(net.parameters(), lr=lr))
        self.epoch = self.updates = 0

    def fit(self, epochs):
        while self.epoch < epochs:
            if not self.train_epoch():
                print("stopped at update", self.updates)
                return
            self.epoch += 1

    def train_epoch(self):
        self.net.train()
        meters = Meters()
        for n, (head, teaser) in enumerate(self.loader, 1):
            due = n % self.accum == 0 or n == len(self.loader)
            loss = info_nce(self.net(head, teaser))
            self.backward_step(
                loss / self.accum, self.net.parameters(), clip=self.clip if due else None, update=due
            )
            meters.update(len(head), loss=loss.detach())
            if due:
                self.updates += 1
                if self.stop.done(self):
                    return False
        print(self.epoch, self.updates, meters, f"best {self.stop.best:.4f}")
        return True

    @torch.no_grad()
    def evaluate(self):
        self.net.eval()
        return sum(info_nce(self.net(*batch)).item() for batch in self.held_out) / len(self.held_out)

    def save(self, path):
        torch.save(
            {"net": self.net.state_dict(), "opt": self.backward_step.state_dict(),
             "epoch": self.epoch, "updates": self.updates},
            path,
        )

    def resume(self, path):
        state = torch.load(path)
        self.net.load_state_dict(state["net"])
        self.backward_step.load_state_dict(state["opt"])
        self.epoch, self.updates = state["epoch"], state["updates"]
