import torch
from torch.nn.functional import cross_entropy

from .factories import build
from .windows import closes


class Teacher:
    def __init__(self, net, preset):
        self.net, self.preset = net, preset
        self.opt, self.schedule, self.moves = build(net.parameters(), preset)

    def rate(self):
        return self.schedule.get_last_lr()[0]

    def tick(self, moment):
        if self.moves == moment:
            self.schedule.step()

    def loss(self, source, target):
        return cross_entropy(self.net(source, target).flatten(0, 1), target.flatten())

    def lesson(self, batches):
        self.net.train()
        total = 0.0
        for position, pair in enumerate(batches):
            loss = self.loss(*pair)
            (loss / self.preset.accum).backward()
            total += loss.item()
            if closes(position, self.preset.accum, len(batches)):
                self.opt.step()
                self.opt.zero_grad()
                self.tick("update")
            self.tick("batch")
        self.tick("epoch")
        return total / len(batches)

    @torch.inference_mode()
    def exam(self, batches):
        self.net.eval()
        return sum(self.loss(*pair).item() for pair in batches) / len(batches)
