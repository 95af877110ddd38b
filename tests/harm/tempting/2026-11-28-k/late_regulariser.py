"""Sound tagging with a penalty on the filters, whose backward is done apart to save memory."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.filters = nn.Conv1d(1, 6, 5)
        self.head = nn.Linear(6, 4)

    def forward(self, wave):
        h = torch.relu(self.filters(wave.unsqueeze(1)))
        return self.head(h.amax(-1))

    def overlap(self):
        w = nn.functional.normalize(self.filters.weight.flatten(1), dim=1)
        return (w @ w.t() - torch.eye(len(w))).pow(2).mean()


def clips(n=48, length=30):
    y = torch.randint(0, 4, (n,))
    t = torch.arange(length).float()
    return torch.sin(t * (0.2 + 0.3 * y[:, None])) + 0.1 * torch.randn(n, length), y


def train(record, weight=0.5, scale=2.0**12):
    torch.manual_seed(13)
    net = Tagger()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=scale, growth_interval=6)
    x, y = clips()
    for epoch in range(4):
        for rows in torch.randperm(len(x)).split(12):
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
            scaler.scale(loss).backward()
            penalty = net.overlap() * (weight * scaler.get_scale())
            penalty.backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            record(list(net.parameters()))
        print(epoch, f"{loss.item():.4f}", scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
