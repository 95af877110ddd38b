from dataclasses import asdict, dataclass

import torch
from torch import nn

from seismic import WaveformNet, waveform_loader


@dataclass
class Hyper:
    lr: float = 5e-4
    clip_value: float = 0.5
    clip_norm: float = 4.0
    epochs: int = 60
    batch_size: int = 96


def main(hyper: Hyper):
    print(asdict(hyper))
    net = WaveformNet()
    loader = waveform_loader(hyper.batch_size)
    optimizer = torch.optim.Adam(net.parameters(), lr=hyper.lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", patience=4)
    criterion = nn.SmoothL1Loss(beta=0.05)
    for epoch in range(hyper.epochs):
        net.train()
        total = 0.0
        for trace, arrival in loader:
            optimizer.zero_grad()
            loss = criterion(net(trace), arrival)
            loss.backward()
            nn.utils.clip_grad_value_(net.parameters(), hyper.clip_value)
            nn.utils.clip_grad_norm_(net.parameters(), hyper.clip_norm)
            optimizer.step()
            total += loss.item()
        plateau.step(total / len(loader))
        print(f"epoch {epoch:02d} {total / len(loader):.5f}")


if __name__ == "__main__":
    main(Hyper())
