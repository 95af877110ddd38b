import torch
from torch import nn

torch.manual_seed(6)
net = nn.GRU(4, 10, batch_first=True)
out = nn.Linear(10, 1)
weights = [*net.parameters(), *out.parameters()]
for w in weights:
    w.register_hook(lambda g: g.clamp(-0.1, 0.1))
adam = torch.optim.Adam(weights, lr=1e-3)

state = None
for step in range(20):
    x = torch.randn(8, 6, 4)
    hidden, state = net(x, state)
    state = state.detach()
    loss = nn.functional.mse_loss(out(hidden), x.mean(-1, keepdim=True).cumsum(1))
    adam.zero_grad()
    loss.backward()
    adam.step()
    if step % 5 == 0:
        print(step, loss.item())
