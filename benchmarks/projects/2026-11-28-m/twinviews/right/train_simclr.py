import torch
from torch.utils.data import DataLoader, TensorDataset

from twin.encoder import Encoder, nt_xent
from twin.knn import knn_accuracy
from twin.meters import Running
from twin.steppers import STEPPERS
from twin.types import StepOut, Stepper


def blobs(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(5, 16, generator=torch.Generator().manual_seed(77))
    y = torch.randint(5, (n,), generator=g)
    return TensorDataset(centres[y] + torch.randn(n, 16, generator=g), y)


def update(encoder: Encoder, x: torch.Tensor, stepper: Stepper) -> StepOut:
    a, b = (encoder(x + 0.5 * torch.randn_like(x)) for _ in range(2))
    loss = nt_xent(a, b)
    stepper.open()
    loss.backward()
    stepper.close()
    return StepOut(loss, len(x))


def main(name: str = "warm", epochs: int = 3) -> None:
    torch.manual_seed(0)
    bank, queries = blobs(320, 1), blobs(96, 2)
    encoder = Encoder()
    stepper = STEPPERS[name](torch.optim.Adam(encoder.parameters(), lr=5e-3))
    for epoch in range(epochs):
        encoder.train()
        meter = Running()
        for x, _ in DataLoader(bank, batch_size=32, shuffle=True):
            meter.add(update(encoder, x, stepper))
        print(f"{epoch} loss {float(meter.mean):.4f} tail {list(meter.tail)} knn {knn_accuracy(encoder, bank, queries):.3f}")


if __name__ == "__main__":
    main()
