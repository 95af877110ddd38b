import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)
text = torch.randint(0, 30, (960,))
emb = nn.Embedding(30, 16)
rnn = nn.GRU(16, 32, batch_first=True)
out = nn.Linear(32, 30)
params = [*emb.parameters(), *rnn.parameters(), *out.parameters()]
opt = torch.optim.Adam(params, lr=3e-3)
chunks = text[:960].view(24, 40)

for epoch in range(2):
    seen = 0.0
    for k in range(0, 24, 2):
        block = chunks[k : k + 2]
        h, _ = rnn(emb(block[:, :-1]))
        loss = F.cross_entropy(out(h).reshape(-1, 30), block[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        nn.utils.clip_grad_norm_(params, 0.5)
        seen += loss.item()
    print(epoch, seen / 12)
