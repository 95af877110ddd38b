import torch
import torch.nn as nn
import torch.nn.functional as F


class NameGenerator(nn.Module):
    def __init__(self, n=27, h=32):
        super().__init__()
        self.emb = nn.Embedding(n, h)
        self.drop = nn.Dropout(0.3)
        self.gru = nn.GRU(h, h, batch_first=True)
        self.fc = nn.Linear(h, n)

    def forward(self, ids, state=None):
        out, state = self.gru(self.drop(self.emb(ids)), state)
        return self.fc(out), state


class NameTrainer:
    def __init__(self, names, sample_every=10):
        self.stoi = {c: i + 1 for i, c in enumerate("abcdefghijklmnopqrstuvwxyz")}
        self.itos = {i: c for c, i in self.stoi.items()}
        self.data = [self.encode(n) for n in names]
        self.model = NameGenerator()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=5e-3)
        self.sample_every = sample_every

    def encode(self, name):
        return torch.tensor([0] + [self.stoi[c] for c in name] + [0])

    @torch.inference_mode()
    def sample(self, limit=12):
        self.model.eval()
        tok, state, out = torch.zeros(1, 1, dtype=torch.long), None, ""
        for _ in range(limit):
            logits, state = self.model(tok, state)
            tok = torch.multinomial(logits[0, -1].softmax(-1), 1).view(1, 1)
            if tok.item() == 0:
                break
            out += self.itos[tok.item()]
        return out

    def fit(self, epochs):
        step = 0
        for epoch in range(epochs):
            self.model.train()
            for ids in self.data:
                logits, _ = self.model(ids[None, :-1])
                loss = F.cross_entropy(logits[0], ids[1:])
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                step += 1
                if step % self.sample_every == 0:
                    print(f"epoch {epoch} step {step} loss {loss.item():.2f}: {self.sample()!r}")


if __name__ == "__main__":
    torch.manual_seed(0)
    names = "anna bert carla dora emil frida gustav hanna ida jonas karl lena".split()
    NameTrainer(names).fit(epochs=3)
