import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class Engine:
    def __init__(self, model, lr=0.1, max_norm=0.25):
        self.model, self.max_norm = model, max_norm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**9, growth_interval=4)
        self.norms = []

    @property
    def limit(self):
        return self.max_norm * self.scaler.get_scale()

    def fit_batch(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.l1_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        norm = clip_grad_norm_(self.model.parameters(), self.limit)
        self.norms.append(norm.item() / self.scaler.get_scale())
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


def train(record):
    torch.manual_seed(619)
    x = torch.randn(70, 5)
    y = torch.stack([x.sum(1), x.prod(1)], dim=1)
    loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
    engine = Engine(nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 2)))
    for epoch in range(3):
        for a, b in loader:
            loss = engine.fit_batch(a, b)
            record(list(engine.model.parameters()))
        print(epoch, loss, max(engine.norms[-len(loader):]))


if __name__ == "__main__":
    train(lambda parameters: None)
