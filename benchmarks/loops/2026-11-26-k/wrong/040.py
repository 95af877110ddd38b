import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(epochs=4, batch_size=16, accum=4):
    torch.manual_seed(31)
    voxels = torch.randn(230, 1, 4, 4, 4)
    volume = (voxels > 0).float().mean((1, 2, 3, 4)).unsqueeze(1)
    loader = DataLoader(TensorDataset(voxels, volume), batch_size=batch_size, shuffle=True)
    model = nn.Sequential(nn.Conv3d(1, 6, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(384, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for i, (v, t) in enumerate(loader):
            loss = nn.functional.mse_loss(model(v), t)
            (loss / accum).backward()
            total += loss.item()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
        print(f"{epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
