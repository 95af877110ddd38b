import torch
from torch import nn

torch.manual_seed(34)
users, items = nn.Embedding(10, 3), nn.Embedding(8, 3)
uo = torch.optim.SGD(users.parameters(), lr=0.5)
io = torch.optim.SGD(items.parameters(), lr=0.5)
for k in range(20):
    u, i = torch.randint(0, 10, (16,)), torch.randint(0, 8, (16,))
    score = (users(u) * items(i)).sum(1)
    loss = (score - ((u + i) % 3).float()).pow(2).mean()
    turn = uo if k % 2 == 0 else io
    uo.zero_grad()
    io.zero_grad()
    loss.backward()
    turn.step()
print(loss.item())
