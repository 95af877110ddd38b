import torch
import torch.nn.functional as F


class Pipeline:
    """Runs the stages of an update in the order of their numbers."""

    def __init__(self, model, lr=0.05, max_norm=2.0):
        self.model = model
        self.max_norm = max_norm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.stages = sorted([(40, self.apply), (30, self.limit), (20, self.differentiate), (10, self.clear)], key=lambda s: s[0])

    def apply(self, loss):
        self.optimizer.step()

    def limit(self, loss):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def differentiate(self, loss):
        loss.backward()

    def clear(self, loss):
        self.optimizer.zero_grad()

    def update(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        for _, stage in self.stages:
            stage(loss)
        return loss.item()


def train(model, loader, epochs):
    pipeline = Pipeline(model)
    model.train()
    for epoch in range(epochs):
        mean = sum(pipeline.update(x, y) for x, y in loader) / len(loader)
        print(epoch, f"{mean:.4f}")
