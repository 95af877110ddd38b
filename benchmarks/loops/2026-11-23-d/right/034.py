import torch
from torch import nn

dev = "cuda" if torch.cuda.is_available() else "cpu"
big = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3)).to(dev)
critic = nn.Linear(8, 1).to(dev)
opt_big = torch.optim.AdamW(big.parameters(), lr=1e-3)
opt_critic = torch.optim.SGD(critic.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler(dev)

for step in range(30):
    x = torch.randn(16, 8, device=dev)
    y = x[:, :3].argmax(1)
    with torch.autocast(dev, dtype=torch.float16):
        loss = nn.functional.cross_entropy(big(x), y, reduction="none")
    opt_big.zero_grad()
    scaler.scale(loss.mean()).backward()
    scaler.step(opt_big)
    scaler.update()

    # the critic predicts the loss, all of it in float32
    guess = critic(x).squeeze(1)
    error = (guess - loss.detach().float()).square().mean()
    opt_critic.zero_grad()
    error.backward()
    opt_critic.step()
    if step % 10 == 0:
        print(step, loss.mean().item(), error.item())
