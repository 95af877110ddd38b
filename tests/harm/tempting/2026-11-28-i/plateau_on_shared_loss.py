"""One criterion for training and validation; the plateau is judged by the validation's sum over a window."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau


class WindowLoss(nn.Module):
    """A batch's share in the loss of a window of `parts`."""

    def __init__(self, parts):
        super().__init__()
        self.parts = parts

    def forward(self, out, y):
        return nn.functional.mse_loss(out, y) / self.parts


@torch.no_grad()
def validate(net, criterion, batches):
    return sum(criterion(net(x), y).item() for x, y in batches)


def make(n, generator):
    return [(x, (2 * x).cos().sum(1, keepdim=True)) for x in torch.randn(n, 10, 3, generator=generator)]


def train(record, parts=4):
    torch.manual_seed(150)
    generator = torch.Generator().manual_seed(150)
    batches, held_out = make(12, generator), make(parts, generator)
    net = nn.Sequential(nn.Linear(3, 20), nn.Tanh(), nn.Linear(20, 1))
    criterion = WindowLoss(parts)
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    plateau = ReduceLROnPlateau(opt, factor=0.5, patience=1, threshold=0.02, threshold_mode="abs")
    for epoch in range(8):
        for i, (x, y) in enumerate(batches):
            loss = criterion(net(x), y)
            (loss / parts).backward()
            if (i + 1) % parts == 0:
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()
        error = validate(net, criterion, held_out)
        plateau.step(error)
        print(epoch, round(error, 4), opt.param_groups[0]["lr"])


if __name__ == "__main__":
    train(lambda parameters: None)
