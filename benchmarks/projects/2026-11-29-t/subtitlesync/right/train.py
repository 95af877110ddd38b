import torch

import conf
from sync.engine import Syncer


def cues(n):
    g = torch.Generator().manual_seed(17)
    for _ in range(n):
        cue = torch.randn(12, 9, generator=g)
        yield cue, cue[:, 4:6].sum(1, keepdim=True)


def main():
    cfg = conf.load("conf.yaml")
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(9, 18), torch.nn.ReLU(), torch.nn.Linear(18, 1))
    syncer = Syncer(cfg, net, torch.optim.Adam(net.parameters(), lr=cfg.optim.lr))
    film = list(cues(8))
    for _ in range(cfg.optim.epochs):
        net.train()
        seen = [syncer.step(cue, offset) for cue, offset in film]
        print(round(sum(loss for loss, _ in seen) / len(seen), 4), round(seen[-1][1], 3))


if __name__ == "__main__":
    main()
