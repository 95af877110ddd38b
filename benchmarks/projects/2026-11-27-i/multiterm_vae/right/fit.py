import torch

from micro import MicroBatch
from vae import VAE


def patterns(n=14, size=16, dim=24):
    basis = torch.randn(3, dim)
    return [torch.randn(size, 3) @ basis + 0.1 * torch.randn(size, dim) for _ in range(n)]


def fit(epochs=4, accum=4, beta=0.02):
    torch.manual_seed(8)
    net = VAE()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
    micro = MicroBatch(net, scaler, beta, accum)
    data = patterns()
    opt.zero_grad()
    for epoch in range(epochs):
        history = []
        for n, x in enumerate(data, start=1):
            history.append(micro(x))
            if n % accum == 0 or n == len(data):
                scaler.step(opt)
                scaler.update()
                opt.zero_grad()
        mse, kl = (sum(v) / len(v) for v in zip(*history))
        print(f"{epoch}: mse {mse:.4f} kl {kl:.4f}")


if __name__ == "__main__":
    fit()
