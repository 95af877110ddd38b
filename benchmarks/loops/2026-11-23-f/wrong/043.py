import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x.unsqueeze(1))).mean(-1))


def main():
    torch.manual_seed(19)
    model = Model()
    params = (p for n, p in model.named_parameters() if not n.endswith("bias"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(25):
        x = torch.randn(20, 12)
        y = (x.abs().mean(1) > 0.8).long()
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(params, 0.05)
        optimizer.step()
        if step % 8 == 0:
            print(step, loss.item(), float(norm))


if __name__ == "__main__":
    main()
