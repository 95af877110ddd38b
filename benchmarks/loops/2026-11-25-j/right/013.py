import torch
from torch import nn

torch.manual_seed(113)
rnn = nn.RNN(3, 16, batch_first=True, nonlinearity="relu")
cls = nn.Linear(16, 2)
params = [*rnn.parameters(), *cls.parameters()]
for p in params:
    p.register_hook(lambda g: g.clamp(-0.1, 0.1))
sgd = torch.optim.SGD(params, lr=0.05, momentum=0.9)

x = torch.randn(80, 12, 3)
y = (x[:, 0, 0] > 0).long()
for epoch in range(3):
    for idx in torch.randperm(80).split(16):
        sgd.zero_grad()
        _, h = rnn(x[idx])
        loss = nn.functional.cross_entropy(cls(h.squeeze(0)), y[idx])
        loss.backward()
        sgd.step()
    print(epoch, loss.item(), max(p.grad.abs().max().item() for p in params))
