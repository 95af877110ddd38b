import copy
import random
import torch
import torch.nn as nn
import torch.nn.functional as F


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_obs, 24), nn.ReLU(), nn.Linear(24, n_act))

    def forward(self, o):
        return self.layers(o)


def optimize(loss, optimizer, network, max_norm):
    optimizer.zero_grad()
    torch.nn.utils.clip_grad_norm_(network.parameters(), max_norm)
    loss.backward()
    optimizer.step()


def transition():
    s = torch.randn(4)
    a = random.randrange(2)
    r = 1.0 if (s[0] > 0) == bool(a) else -1.0
    return s, a, r, torch.randn(4), random.random() < 0.1


def collate(batch):
    s, a, r, s2, d = zip(*batch)
    return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d).float()


def td_loss(q, target, batch, gamma=0.95):
    s, a, r, s2, done = collate(batch)
    chosen = q(s).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        best = target(s2).max(1).values
        y = r + gamma * (1 - done) * best
    return F.smooth_l1_loss(chosen, y)


if __name__ == "__main__":
    random.seed(1)
    torch.manual_seed(1)
    q = QNet(4, 2)
    target = copy.deepcopy(q)
    optimizer = torch.optim.Adam(q.parameters(), lr=3e-3)
    memory = [transition() for _ in range(300)]
    for frame in range(1, 41):
        memory.append(transition())
        loss = td_loss(q, target, random.sample(memory, 32))
        optimize(loss, optimizer, q, max_norm=0.25)
        if frame % 10 == 0:
            target.load_state_dict(q.state_dict())
            print(frame, loss.item())
