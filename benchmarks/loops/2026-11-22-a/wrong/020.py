import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self, width: int = 512, code: int = 32):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(784, width), nn.GELU(), nn.Linear(width, code))
        self.decoder = nn.Sequential(nn.Linear(code, width), nn.GELU(), nn.Linear(width, 784))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(data: torch.Tensor, *, epochs: int = 10, batch_size: int = 4096, micro_batches: int = 8):
    model = Autoencoder().cuda()
    optimizer = optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(TensorDataset(data), batch_size=batch_size, shuffle=True, drop_last=True)
    for epoch in range(epochs):
        seen = 0.0
        for (batch,) in loader:
            optimizer.zero_grad(set_to_none=True)
            for micro in batch.chunk(micro_batches):
                micro = micro.cuda(non_blocking=True)
                loss = F.mse_loss(model(micro), micro)
                loss.backward()
                seen += loss.item() / micro_batches
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(f"epoch {epoch}: {seen / len(loader):.5f}")
    return model
