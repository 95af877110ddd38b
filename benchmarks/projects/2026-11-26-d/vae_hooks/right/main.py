import torch

from hooks import Beta, GradWatch, History
from runner import Runner
from vae import VAE


def blobs(n=10, batch=16):
    g = torch.Generator().manual_seed(1)
    centres = torch.randn(3, 8, generator=g)
    return [centres[torch.randint(3, (batch,), generator=g)] + 0.1 * torch.randn(batch, 8, generator=g) for _ in range(n)]


if __name__ == "__main__":
    torch.manual_seed(1)
    model = VAE()
    history = History()
    runner = Runner(model, torch.optim.Adamax(model.parameters(), lr=4e-3), [Beta(warm=20), GradWatch(every=5), history])
    runner.run(blobs(), epochs=3)
    print(history.summary())
