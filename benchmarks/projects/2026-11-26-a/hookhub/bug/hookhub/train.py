import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from hookhub import build_hooks
from hookhub.loop import Loop

CONFIG = {
    "optimize": {"interval": 4, "max_norm": 1.0},
    "grad_norm": {},
    "text_log": {},
}


def ratings(n=128):
    users, items = torch.randn(n, 8), torch.randn(n, 8)
    return TensorDataset(torch.cat([users, items], 1), (users * items).sum(1, keepdim=True).tanh())


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    loader = DataLoader(ratings(), batch_size=8, shuffle=True)
    Loop(model, optimizer, nn.MSELoss(), build_hooks(CONFIG), device).run(loader, epochs=3)


if __name__ == "__main__":
    main()
