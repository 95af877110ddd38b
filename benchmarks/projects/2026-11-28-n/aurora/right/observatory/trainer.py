import torch
from torch.nn.functional import cross_entropy

from observatory.contexts import dim_light, exposure
from observatory.window import Window


class Observer:
    def __init__(self, model, night, length):
        self.model, self.night = model, night
        self.window = Window(length, len(night))
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

    def watch(self):
        seen = 0.0
        self.model.train()
        self.optimizer.zero_grad()
        for index, (image, label) in enumerate(self.night):
            with exposure(self.model, synced=self.window.due(index)):
                with dim_light():
                    loss = cross_entropy(self.model(image), label)
                (loss / self.window.length).backward()
            seen += loss.item()
            if self.window.due(index):
                self.optimizer.step()
                self.optimizer.zero_grad()
        return seen / len(self.night)
