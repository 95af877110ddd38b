import torch
from torch import nn

corpus = "to be or not to be that is the question " * 20
vocab = {c: i for i, c in enumerate(sorted(set(corpus)))}
inverse = {i: c for c, i in vocab.items()}
stream = torch.tensor([vocab[c] for c in corpus])


class CharLSTM(nn.Module):
    def __init__(self, n, h=32):
        super().__init__()
        self.e = nn.Embedding(n, h)
        self.l = nn.LSTM(h, h, num_layers=2, dropout=0.25, batch_first=True)
        self.o = nn.Linear(h, n)

    def forward(self, x, s=None):
        y, s = self.l(self.e(x), s)
        return self.o(y), s

    @torch.no_grad()
    def generate(self, start, n):
        out, s, tok = [start], None, torch.tensor([[vocab[start]]])
        for _ in range(n):
            logits, s = self(tok, s)
            tok = torch.multinomial(logits[:, -1].softmax(-1), 1)
            out.append(inverse[tok.item()])
        return "".join(out)


torch.manual_seed(0)
net = CharLSTM(len(vocab))
opt = torch.optim.Adam(net.parameters(), 5e-3)
net.train()
for step in range(60):
    starts = torch.randint(0, len(stream) - 21, (8,))
    seq = torch.stack([stream[s : s + 21] for s in starts])
    logits, _ = net(seq[:, :-1])
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), seq[:, 1:])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    if step % 20 == 19:
        net.eval()
        print(step, loss.item(), net.generate("t", 20))
