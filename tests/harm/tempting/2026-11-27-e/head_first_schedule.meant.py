import torch
from torch import nn
from torch.optim.lr_scheduler import MultiplicativeLR

HEAD_EPOCHS = 1


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 12)
        self.head = nn.Linear(12, 2)

    def forward(self, x, frozen=False):
        features = torch.relu(self.trunk(x))
        return self.head(features.detach() if frozen else features)


def sweep(model, data, optimizer, record, frozen):
    loss = None
    for x, y in data:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x, frozen=frozen), y)
        loss.backward()
        optimizer.step()
        record(list(model.parameters()))
    return loss.item()


def train(record):
    torch.manual_seed(17)
    data = []
    for _ in range(5):
        x = torch.randn(10, 4)
        data.append((x, (x[:, 0] * x[:, 1] > 0).long()))
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    schedule = MultiplicativeLR(optimizer, lambda epoch: 0.6)
    for epoch in range(4):
        if epoch < HEAD_EPOCHS:
            last = sweep(model, data, optimizer, record, frozen=True)
            print("head", epoch, f"{last:.4f}")
            schedule.step()
            continue
        last = sweep(model, data, optimizer, record, frozen=False)
        print("full", epoch, f"{last:.4f}", f"{schedule.get_last_lr()[0]:.4f}")
        schedule.step()


if __name__ == "__main__":
    train(lambda parameters: None)
