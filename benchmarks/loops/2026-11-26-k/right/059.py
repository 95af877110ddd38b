import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, users, items, d=12):
        super().__init__()
        self.u, self.i = nn.Embedding(users, d), nn.Embedding(items, d)
        self.mlp = nn.Sequential(nn.Linear(2 * d, 24), nn.ReLU(), nn.Linear(24, 1))

    def score(self, user, item):
        return self.mlp(torch.cat([self.u(user), self.i(item)], -1)).squeeze(-1)

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def bpr_loss(self, user, good, bad):
        margin = self.score(user, good) - self.score(user, bad)
        return -nn.functional.logsigmoid(margin.float()).mean()


def main():
    torch.manual_seed(159)
    model = Recommender(30, 50)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(60):
        user = torch.randint(0, 30, (64,))
        good = (user + torch.randint(0, 5, (64,))) % 50
        bad = torch.randint(0, 50, (64,))
        opt.zero_grad()
        with torch.autograd.set_detect_anomaly(True):
            loss = model.bpr_loss(user, good, bad)
            loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, loss.item())


main()
