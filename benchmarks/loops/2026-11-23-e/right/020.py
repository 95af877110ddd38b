"""Micro-batches are counted over the whole run, so a window may cross the border of an epoch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 4
TOTAL_UPDATES = 20


def new_state(model, optimizer):
    return {"model": model.state_dict(), "optim": optimizer.state_dict(), "updates": 0}


class Counter:
    def __init__(self, updates):
        self.updates = updates
        self.micro = updates * ACCUM

    def tick(self):
        self.micro += 1
        return self.micro % ACCUM == 0


def stream(loader):
    epoch = 0
    while True:
        for batch in loader:
            yield epoch, batch
        epoch += 1


def train(state, until):
    model = nn.Sequential(nn.Linear(4, 24), nn.Softsign(), nn.Linear(24, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    if state is None:
        state = new_state(model, optimizer)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optim"])
    counter = Counter(state["updates"])

    x = torch.rand(70, 4)
    y = (x[:, :1] - x[:, 1:2]) * x[:, 2:3]
    loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
    model.train()
    for epoch, (xb, yb) in stream(loader):
        loss = nn.functional.mse_loss(model(xb), yb) / ACCUM
        loss.backward()
        if counter.tick():
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            counter.updates += 1
            if counter.updates == until:
                break
    print(f"stopped in epoch {epoch} after {counter.updates} updates, loss {loss.item() * ACCUM:.4f}")
    return {"model": model.state_dict(), "optim": optimizer.state_dict(), "updates": counter.updates}


torch.manual_seed(0)
checkpoint = train(None, until=9)
checkpoint = train(checkpoint, until=TOTAL_UPDATES)
