import torch
from torch.utils.data import DataLoader, TensorDataset

from diffuse import precision
from diffuse.callbacks import Log, Samples
from diffuse.net import Eps
from diffuse.noise import Cosine
from diffuse.trainer import Trainer


def ring(n):
    angle = torch.rand(n) * 2 * torch.pi
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


if __name__ == "__main__":
    torch.manual_seed(0)
    noise = Cosine(20)
    net = Eps(noise.steps)
    trainer = Trainer(
        net,
        noise,
        torch.optim.AdamW(net.parameters(), lr=2e-3),
        precision.pick("brain"),
        [Log(), Samples(every=2, count=64)],
    )
    trainer.fit(DataLoader(TensorDataset(ring(512)), batch_size=64, shuffle=True), epochs=5)
