import torch

from hopyard.amp import MixedPrecision
from hopyard.bitterness import AlphaAcids, harvest
from hopyard.loop import train_epoch


def main():
    torch.manual_seed(3)
    net = AlphaAcids()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    precision = MixedPrecision("cuda")
    for epoch in range(3):
        loss, norm = train_epoch(net, optimizer, precision, harvest(8, seed=epoch))
        print(f"{epoch}: {loss:.4f} (|g| {norm:.3f})")


if __name__ == "__main__":
    main()
