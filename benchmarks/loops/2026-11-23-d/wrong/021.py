import torch
from lightning.fabric import Fabric
from torch import nn


def batches(n):
    for _ in range(n):
        x = torch.randn(8, 10)
        yield x, (x.mean(1, keepdim=True) > 0).float()


def main():
    fabric = Fabric(accelerator="cuda" if torch.cuda.is_available() else "cpu", devices=1, strategy="ddp")
    fabric.launch()
    torch.manual_seed(fabric.global_rank)
    net = nn.Sequential(nn.Linear(10, 16), nn.Mish(), nn.Linear(16, 1))
    net, opt = fabric.setup(net, torch.optim.Adam(net.parameters(), lr=1e-3))
    window = 5
    for i, (x, y) in enumerate(batches(50)):
        loss = nn.functional.binary_cross_entropy_with_logits(net(fabric.to_device(x)), fabric.to_device(y))
        fabric.backward(loss / window)
        if (i + 1) % window == 0:
            fabric.clip_gradients(net, opt, max_norm=1.0)
            opt.step()
            opt.zero_grad()
            fabric.print(f"{i + 1}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
