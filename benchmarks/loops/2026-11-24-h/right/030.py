import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class RNNModel(nn.Module):
    def __init__(self, ntoken=24, nhid=20):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(ntoken, nhid)
        self.rnn = nn.LSTM(nhid, nhid)
        self.decoder = nn.Linear(nhid, ntoken)

    def forward(self, x, state=None):
        out, state = self.rnn(self.drop(self.encoder(x)), state)
        return self.decoder(self.drop(out)), state


class Averaged:
    def __init__(self, model, decay=0.95):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.shadow.eval()
        self.decay = decay

    @torch.no_grad()
    def track(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)

    def perplexity(self, stream, bptt):
        self.shadow.eval()
        state, nll, count = None, 0.0, 0
        for i in range(0, len(stream) - 1, bptt):
            n = min(bptt, len(stream) - 1 - i)
            logits, state = self.shadow(stream[i:i + n], state)
            nll = nll + F.cross_entropy(logits.flatten(0, 1), stream[i + 1:i + 1 + n].flatten()) * n
            count += n
        return (nll / count).exp().item()


def main(bptt=8):
    torch.manual_seed(0)
    text = (torch.arange(640) * 5 % 24).view(8, -1).t().contiguous()
    train, held = text[:60], text[60:]
    model = RNNModel()
    ema = Averaged(model)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    for epoch in range(3):
        state, total = None, 0.0
        for i in range(0, len(train) - 1, bptt):
            x = train[i:i + bptt][: len(train) - 1 - i]
            y = train[i + 1:i + 1 + len(x)]
            if state is not None:
                state = tuple(h.detach() for h in state)
            opt.zero_grad()
            logits, state = model(x, state)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            opt.step()
            ema.track(model)
            total += loss.item() * len(x)
        print(f"epoch {epoch} train {total / (len(train) - 1):.3f} ema ppl {ema.perplexity(held, bptt):.2f}")


if __name__ == "__main__":
    main()
