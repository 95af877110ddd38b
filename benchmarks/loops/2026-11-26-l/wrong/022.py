import torch
from torch import nn


class GRULM(nn.Module):
    def __init__(self, n=28, d=32):
        super().__init__()
        self.emb, self.drop = nn.Embedding(n, d), nn.Dropout(0.2)
        self.gru, self.fc = nn.GRU(d, d, batch_first=True), nn.Linear(d, n)

    def forward(self, ids):
        return self.fc(self.gru(self.drop(self.emb(ids)))[0])


@torch.no_grad()
def generate(lm, start, length=10):
    lm.eval()
    seq = start
    for _ in range(length):
        nxt = lm(seq)[:, -1].softmax(-1).multinomial(1)
        seq = torch.cat([seq, nxt], 1)
    return seq[0].tolist()


def main():
    torch.manual_seed(12)
    lm = GRULM()
    opt = torch.optim.AdamW(lm.parameters(), lr=4e-3)
    lm.train()
    for step in range(1, 25):
        ids = torch.randint(0, 28, (8, 13)).cumsum(1) % 28
        loss = nn.functional.cross_entropy(lm(ids[:, :-1]).transpose(1, 2), ids[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 8 == 0:
            print(step, loss.item(), generate(lm, ids[:1, :3]))


main()
