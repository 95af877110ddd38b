import torch
from torch.utils.data import DataLoader

from gan import GanLoop
from nets import discriminator, generator

if __name__ == "__main__":
    torch.manual_seed(3)
    points = torch.randn(320, 2) * 0.3 + torch.tensor([1.5, -0.5])
    loader = DataLoader(points, batch_size=32, shuffle=True)
    GanLoop(generator(), discriminator(), loader, epochs=4).run()
