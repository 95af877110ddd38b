"""One autocast region for the whole turn, with an island in it where nothing is cast."""
import torch
from torch import nn


def roughness(critic, points):
    points = points.clone().requires_grad_()
    (slope,) = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def train(record):
    torch.manual_seed(95)
    critic = nn.Sequential(nn.Linear(2, 16), nn.Softplus(), nn.Linear(16, 1))
    opt = torch.optim.Adam(critic.parameters(), lr=5e-3, betas=(0.0, 0.9))
    gaps = []
    for turn in range(25):
        real = torch.randn(12, 2) + torch.tensor([2.0, 0.0])
        fake = torch.randn(12, 2)
        mix = torch.rand(12, 1)
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            gap = critic(fake).float().mean() - critic(real).float().mean()
            with torch.autocast("cpu", enabled=False):
                loss = gap + 10 * roughness(critic, mix * real + (1 - mix) * fake)
                loss.backward()
                opt.step()
                record(list(critic.parameters()))
            with torch.no_grad():
                after = critic(fake).float().mean() - critic(real).float().mean()
        gaps.append((gap.item(), after.item()))
    return gaps


if __name__ == "__main__":
    train(lambda parameters: None)
