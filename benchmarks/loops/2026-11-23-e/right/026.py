import torch
from torch import nn


class CopyRNN(nn.Module):
    def __init__(self, symbols=5, hid=24):
        super().__init__()
        self.hid = hid
        self.emb = nn.Embedding(symbols + 1, hid)
        self.rnn = nn.RNN(hid, hid, batch_first=True, nonlinearity="tanh")
        self.out = nn.Linear(hid, symbols)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def limit(value):
    def hook(grad):
        return grad.clamp(-value, value)
    return hook


def copy_task(n, delay=4, length=3, symbols=5):
    seq = torch.randint(0, symbols, (n, length))
    blank = torch.full((n, delay), symbols)
    x = torch.cat([seq, blank, blank[:, :length]], 1)
    return x, seq


def main():
    torch.manual_seed(0)
    model = CopyRNN()
    # values are limited where the gradients are made, before they are accumulated
    handles = [p.register_hook(limit(0.05)) for p in model.parameters()]
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for it in range(40):
        x, target = copy_task(24)
        optimizer.zero_grad()
        logits = model(x)[:, -target.size(1):]
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())
        loss.backward()
        optimizer.step()
        if it % 10 == 0:
            worst = max(p.grad.abs().max().item() for p in model.parameters())
            print(it, loss.item(), f"largest gradient {worst:.3f}")
    for h in handles:
        h.remove()


if __name__ == "__main__":
    main()
