import torch
from torch import nn

torch.manual_seed(18)
rnn = nn.RNN(3, 6, batch_first=True)
out = nn.Linear(6, 3)
both = nn.ModuleList([rnn, out])
for p in both.parameters():
    p.register_hook(lambda g: g.clamp(-0.1, 0.1))
opt = torch.optim.SGD(both.parameters(), lr=0.1)
for _ in range(15):
    s = torch.randn(4, 6, 3)
    opt.zero_grad()
    h, _ = rnn(s[:, :-1])
    loss = nn.functional.mse_loss(out(h), s[:, 1:])
    loss.backward()
    opt.step()
print(loss.item())
