"""The backward is made in two parts, so that the tower's graph may live elsewhere."""
import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(10, 10) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = x + torch.tanh(block(x))
        return x


def train(record):
    torch.manual_seed(41)
    tower, readout = Tower(3), nn.Linear(10, 4)
    weights = [*tower.parameters(), *readout.parameters()]
    opt = torch.optim.Adam(weights, lr=5e-3, weight_decay=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=12)
    data = torch.utils.data.TensorDataset(torch.randn(90, 10), torch.randint(0, 4, (90,)))
    loader = torch.utils.data.DataLoader(data, batch_size=15)
    for _ in range(5):
        for x, y in loader:
            opt.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                cut = tower(x)
            joint = cut.detach().requires_grad_()
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.cross_entropy(readout(joint).float(), y)
            scaler.scale(loss).backward()
            # the rest of the way down
            torch.autograd.backward([cut], [joint.grad])
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(weights, 2.0)
            scaler.step(opt)
            scaler.update()
            record(weights)


if __name__ == "__main__":
    train(lambda parameters: None)
