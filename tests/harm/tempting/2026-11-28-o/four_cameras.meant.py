"""Four cameras deliver in turn; one picture of each makes an update."""
import torch
from torch import nn

CAMERAS = 4
GAIN = torch.tensor([1.0, 0.6, 1.7, 1.2])
DARK = torch.tensor([0.0, 0.3, -0.2, 0.8])


def shutter(count):
    gen = torch.Generator().manual_seed(8)
    for shot in range(count):
        camera = shot % CAMERAS
        scene = torch.rand(6, 1, 6, 6, generator=gen)
        brightness = scene[:, 0, :3].mean(dim=(1, 2))
        yield scene * GAIN[camera] + DARK[camera], brightness


class Meter(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Flatten(), nn.Linear(36, 12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, picture):
        return super().forward(picture).squeeze(1)


def train(record):
    torch.manual_seed(88)
    meter = Meter()
    opt = torch.optim.SGD(meter.parameters(), lr=0.1)
    log = [[] for _ in range(CAMERAS)]
    for at, (picture, brightness) in enumerate(shutter(48)):
        camera = at % CAMERAS
        even = (picture - DARK[camera]) / GAIN[camera]
        loss = nn.functional.mse_loss(meter(even), brightness)
        (loss / CAMERAS).backward()
        log[camera].append(loss.item())
        if camera == CAMERAS - 1:
            opt.step()
            record(list(meter.parameters()))
            opt.zero_grad()
    return [sum(entries) / len(entries) for entries in log]


if __name__ == "__main__":
    train(lambda parameters: None)
