"""WGAN-GP critic pre-training with mixed precision."""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
LAMBDA = 10.0


class Critic(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 32), nn.Softplus(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake):
    w = torch.rand(real.size(0), 1, device=real.device)
    mix = (w * real + (1 - w) * fake).requires_grad_(True)
    grad = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)[0]
    return LAMBDA * (grad.norm(dim=1) - 1).pow(2).mean()


def main():
    torch.manual_seed(0)
    critic = Critic().to(device)
    optimizer = torch.optim.SGD(critic.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler(device, init_scale=256.0)

    for it in range(30):
        real = (torch.randn(32, 4) + 1).to(device)
        fake = (torch.randn(32, 4) * 2).to(device)
        optimizer.zero_grad()

        with torch.autocast(device, dtype=torch.float16):
            w_loss = critic(fake).mean() - critic(real).mean()
        scaler.scale(w_loss).backward()

        gp = gradient_penalty(critic, real, fake)
        gp.backward()

        scaler.step(optimizer)
        scaler.update()

        if it % 10 == 0:
            print(f"{it:3d} W {-w_loss.item():.3f} GP {gp.item():.3f}")


if __name__ == "__main__":
    main()
