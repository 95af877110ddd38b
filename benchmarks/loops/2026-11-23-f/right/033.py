import torch
from torch import nn


def train(updates=10, micro=5):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 2))
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    share = torch.tensor(1.0 / micro)
    for u in range(updates):
        shown = 0.0
        for _ in range(micro):
            x = torch.randn(8, 6)
            loss = nn.functional.cross_entropy(net(x), (x[:, 2] < 0).long())
            loss.backward(gradient=share)
            shown += share.item() * loss.item()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        if u % 3 == 0:
            print(u, shown)


if __name__ == "__main__":
    train()
