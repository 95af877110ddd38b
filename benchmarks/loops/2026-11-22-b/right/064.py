import torch
from torch import Tensor, nn


class WeightedBackward:
    """Backward of a mean loss with the share that its rows have in the batch."""

    def __init__(self, total_rows: int):
        self.total_rows = total_rows

    def __call__(self, loss: Tensor, rows: int) -> None:
        share = torch.full_like(loss, rows / self.total_rows)
        loss.backward(gradient=share)


class Autoencoder(nn.Module):
    def __init__(self, n_genes: int, latent: int = 32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_genes, 512), nn.BatchNorm1d(512), nn.ReLU(), nn.Linear(512, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, 512), nn.ReLU(), nn.Linear(512, n_genes))

    def forward(self, counts: Tensor) -> Tensor:
        mean, log_var = self.enc(torch.log1p(counts)).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        rate = nn.functional.softplus(self.dec(z))
        nll = nn.functional.poisson_nll_loss(rate, counts, log_input=False, reduction="none").sum(1)
        kl = 0.5 * (mean.square() + log_var.exp() - 1 - log_var).sum(1)
        return (nll + kl).mean()


def update(model: nn.Module, optimizer: torch.optim.Optimizer, counts: Tensor, rows: int) -> float:
    backward = WeightedBackward(counts.size(0))
    elbo = 0.0
    optimizer.zero_grad()
    for part in counts.split(rows):
        loss = model(part)
        backward(loss, part.size(0))
        elbo += loss.item() * part.size(0) / counts.size(0)
    optimizer.step()
    return elbo


def train(matrix: Tensor, *, epochs: int = 50, batch: int = 4096, rows: int = 512, lr: float = 1e-3):
    model = Autoencoder(matrix.size(1))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.97)
    model.train()
    for epoch in range(epochs):
        order = torch.randperm(len(matrix))
        values = [update(model, optimizer, matrix[idx], rows) for idx in order.split(batch)]
        scheduler.step()
        print(epoch, sum(values) / len(values))
    return model
