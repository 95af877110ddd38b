import torch
from torch import nn

embed = nn.Sequential(nn.Linear(15, 32), nn.ReLU(), nn.Linear(32, 8))
opt = torch.optim.Adam(embed.parameters(), lr=1e-3)
triplet = nn.TripletMarginLoss(margin=0.5)


def sample(n=24):
    centre = torch.randn(n, 15)
    return centre, centre + 0.1 * torch.randn(n, 15), torch.randn(n, 15)


def train_step(anchor, positive, negative):
    loss = triplet(embed(anchor), embed(positive), embed(negative))
    loss.backward()
    opt.zero_grad()
    opt.step()
    return loss.item()


history = []
for step in range(40):
    history.append(train_step(*sample()))
    if len(history) % 10 == 0:
        print(f"step {step + 1} triplet {sum(history[-10:]) / 10:.4f}")
