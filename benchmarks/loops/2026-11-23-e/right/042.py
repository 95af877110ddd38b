import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def evaluating(net):
    """Eval mode without gradients inside, the old mode afterwards."""
    was = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was)


class Melody(nn.Module):
    def __init__(self, notes=12, d=20):
        super().__init__()
        self.emb = nn.Embedding(notes, d)
        self.conv = nn.Conv1d(d, d, 3)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(d, notes)

    def forward(self, x):
        h = self.emb(x).transpose(1, 2)
        h = torch.relu(self.conv(nn.functional.pad(h, (2, 0))))
        return self.fc(self.drop(h.transpose(1, 2)))


def tunes(n, length=16):
    start = torch.randint(0, 12, (n, 1))
    steps = torch.tensor([2, 2, 1, 2, 2, 2, 1]).repeat(3)[:length]
    return (start + torch.cat([torch.zeros(1, dtype=torch.long), steps.cumsum(0)])) % 12


def loss_on(net, seq):
    logits = net(seq[:, :-1])
    return nn.functional.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())


def sample(net, start, n=8):
    with evaluating(net):
        seq = torch.tensor([[start]])
        for _ in range(n):
            seq = torch.cat([seq, net(seq)[:, -1:].argmax(-1)], 1)
    return seq[0].tolist()


def main():
    torch.manual_seed(0)
    net = Melody()
    net.train()
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
    held_out = tunes(20)
    for step in range(1, 61):
        opt.zero_grad()
        loss = loss_on(net, tunes(16))
        loss.backward()
        opt.step()
        if step % 20 == 0:
            with evaluating(net) as m:
                val = loss_on(m, held_out).item()
            print(step, f"train {loss.item():.3f} val {val:.3f}", sample(net, 0))


main()
