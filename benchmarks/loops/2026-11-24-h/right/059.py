from contextlib import contextmanager

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@contextmanager
def evaluating(net):
    flags = [(m, m.training) for m in net.modules()]
    try:
        net.eval()
        with torch.no_grad():
            yield net
    finally:
        for m, flag in flags:
            m.training = flag


class Speaker(nn.Module):
    def __init__(self, mel=12, d=24, who=6):
        super().__init__()
        self.frame = nn.Sequential(nn.Conv1d(mel, d, 5, padding=2), nn.BatchNorm1d(d), nn.ReLU(), nn.Dropout(0.2))
        self.out = nn.Linear(2 * d, who)

    def forward(self, m):
        h = self.frame(m)
        return self.out(torch.cat([h.mean(2), h.std(2)], 1))


def check(net, dl, crit):
    total = 0
    with evaluating(net) as frozen:
        for m, who in dl:
            total += crit(frozen(m), who)
    return total / len(dl)


def main(max_updates=40, check_every=8):
    torch.manual_seed(15)
    who = torch.randint(0, 6, (180,))
    voice = torch.randn(6, 12, 1)
    mel = voice[who] + 0.8 * torch.randn(180, 12, 30)
    tr = DataLoader(TensorDataset(mel[:144], who[:144]), 18, shuffle=True)
    dv = DataLoader(TensorDataset(mel[144:], who[144:]), 18)
    net = Speaker().train()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    crit = nn.CrossEntropyLoss()
    history, n = [], 0
    while n < max_updates:
        for m, w in tr:
            opt.zero_grad()
            crit(net(m), w).backward()
            opt.step()
            n += 1
            if n % check_every == 0:
                history.append(check(net, dv, crit))
                print(f"update {n}: dev {history[-1].item():.4f} best {min(history).item():.4f}")
            if n >= max_updates:
                break


if __name__ == "__main__":
    main()
