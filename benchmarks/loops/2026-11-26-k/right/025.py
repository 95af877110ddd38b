import torch
from torch import nn


def collate(sentences):
    return nn.utils.rnn.pad_sequence(sentences, batch_first=True, padding_value=-1)


class NextToken(nn.Module):
    def __init__(self, v=18, h=20):
        super().__init__()
        self.emb = nn.Embedding(v, h)
        self.rnn = nn.GRU(h, h, batch_first=True)
        self.out = nn.Linear(h, v)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids.clamp(min=0)))[0])


def train(model, data, opt, micro_per_update=4):
    for start in range(0, len(data), micro_per_update):
        tokens, total = 0, 0.0
        opt.zero_grad()
        for ids in data[start : start + micro_per_update]:
            logits, target = model(ids[:, :-1]), ids[:, 1:]
            loss = nn.functional.cross_entropy(logits.transpose(1, 2), target, ignore_index=-1, reduction="sum")
            loss.backward()
            tokens += int((target != -1).sum())
            total += loss.item()
        for p in model.parameters():
            p.grad.div_(tokens)
        opt.step()
    return total / tokens


torch.manual_seed(125)
data = []
for _ in range(14):
    lens = torch.randint(4, 12, (6,))
    data.append(collate([(torch.arange(n) + s) % 18 for n, s in zip(lens.tolist(), torch.randint(0, 18, (6,)).tolist())]))
model = NextToken()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    print(epoch, train(model, data, opt))
