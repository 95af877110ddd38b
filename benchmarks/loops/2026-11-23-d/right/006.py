import torch
import torch.nn as nn

torch.manual_seed(1)
vocab, width, bptt = 30, 24, 8
corpus = torch.randint(0, vocab, (4, 8 * 12 + 1))

emb = nn.Embedding(vocab, width)
rnn = nn.GRU(width, width, batch_first=True)
out = nn.Linear(width, vocab)
model = nn.ModuleList([emb, rnn, out])
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)

for epoch in range(2):
    hidden = None
    for start in range(0, corpus.size(1) - 1, bptt):
        x = corpus[:, start : start + bptt]
        y = corpus[:, start + 1 : start + 1 + bptt]
        if hidden is not None:
            hidden = hidden.detach()
        states, hidden = rnn(emb(x), hidden)
        loss = nn.functional.cross_entropy(out(states).flatten(0, 1), y.flatten())
        model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
    scheduler.step()
    print(f"epoch {epoch} ppl {loss.exp().item():.1f}")
