import torch
from torch import nn


class Dropped(nn.Module):
    def __init__(self, vocab=20, dim=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.2)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.drop(self.emb(ids)))
        return self.out(h)


@torch.inference_mode()
def perplexity(model, ids):
    model.eval()
    ce = nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    return ce.exp().item()


def train(model, ids, held_out, steps=12, every=4):
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    model.train()
    best = float("inf")
    for step in range(1, steps + 1):
        batch = ids[torch.randint(len(ids), (8,))]
        logits = model(batch[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % every == 0:
            ppl = perplexity(model, held_out)
            best = min(best, ppl)
            print(f"step {step} ppl {ppl:.2f} best {best:.2f}")


torch.manual_seed(26)
tokens = torch.randint(0, 20, (64, 11))
train(Dropped(), tokens[:48], tokens[48:])
