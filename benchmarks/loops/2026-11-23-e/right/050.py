"""With plain SGD, summed gradients and lr / n are the same update as averaged gradients and lr."""
import torch
from torch import nn

torch.manual_seed(0)
N_ACC = 4
BASE_LR = 0.2

prototypes = torch.randn(6, 14)


class Proto(nn.Module):
    def __init__(self, d=14, k=6, e=10):
        super().__init__()
        self.embed = nn.Linear(d, e)
        self.centers = nn.Parameter(torch.randn(k, e))

    def forward(self, x):
        return -torch.cdist(self.embed(x), self.centers)


def fetch(n=12):
    y = torch.randint(0, 6, (n,))
    return prototypes[y] + 0.7 * torch.randn(n, 14), y


model = Proto()
# gradients of N_ACC micro-batches are summed below: the learning rate takes the mean
optimizer = torch.optim.SGD(model.parameters(), lr=BASE_LR / N_ACC)
criterion = nn.CrossEntropyLoss()

for update in range(20):
    optimizer.zero_grad()
    hits = 0
    for _ in range(N_ACC):
        x, y = fetch()
        out = model(x)
        criterion(out, y).backward()
        hits += (out.argmax(1) == y).sum().item()
    optimizer.step()
    if update % 5 == 0:
        print(f"update {update} accuracy {hits / (12 * N_ACC):.2f}")
