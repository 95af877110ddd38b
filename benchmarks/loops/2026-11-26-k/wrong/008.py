import torch
import torch.nn as nn
import torch.nn.functional as F

text = "the quick brown fox jumps over the lazy dog. " * 30
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])


class CharNet(nn.Module):
    def __init__(self, v, h=32):
        super().__init__()
        self.emb = nn.Embedding(v, h)
        self.rnn = nn.GRU(h, h, batch_first=True)
        self.head = nn.Linear(h, v)

    def forward(self, x):
        return self.head(self.rnn(self.emb(x))[0])


def sample_batch(bs=8, t=16):
    at = torch.randint(0, len(ids) - t - 1, (bs,))
    chunk = torch.stack([ids[a : a + t + 1] for a in at])
    return chunk[:, :-1], chunk[:, 1:]


net = CharNet(len(chars))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=4096)
step = 0
while step < 30:
    xb, yb = sample_batch()
    loss = F.cross_entropy(net(xb).flatten(0, 1), yb.flatten())
    scaler.scale(loss).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.unscale_(opt)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
    step += 1
print("final", loss.item())
