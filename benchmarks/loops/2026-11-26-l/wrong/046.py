import random
from collections import deque

import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)
q = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
target_q = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
target_q.load_state_dict(q.state_dict())
optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
memory = deque(maxlen=500)
state = torch.zeros(3)
for t in range(120):
    eps = max(0.05, 1 - t / 80)
    with torch.no_grad():
        action = random.randrange(2) if random.random() < eps else int(q(state).argmax())
    nxt = torch.tanh(state + (0.3 if action else -0.3) + 0.1 * torch.randn(3))
    memory.append((state, action, float(nxt[0]), nxt))
    state = nxt
    if len(memory) < 32:
        continue
    s, a, r, s2 = zip(*random.sample(memory, 32))
    s, s2, a, r = torch.stack(s), torch.stack(s2), torch.tensor(a), torch.tensor(r)
    with torch.no_grad():
        td = r + 0.95 * target_q(s2).max(1).values
    loss = nn.functional.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), td)
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(q.parameters(), 0.5)
    loss.backward()
    optimizer.step()
    if t % 40 == 0:
        target_q.load_state_dict(q.state_dict())
        print(t, loss.item())
