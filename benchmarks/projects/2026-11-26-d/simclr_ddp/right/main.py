import torch

from comm import launch, wrap
from data import PairData
from engine import train_epoch
from encoder import Encoder


def main(rank, world):
    torch.manual_seed(17)
    data = PairData(n=112, batch=8, rank=rank, world=world)
    model = wrap(Encoder(dim=10, out=8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for epoch in range(3):
        data.begin(epoch)
        loss = train_epoch(model, data, optimizer, accum=4)
        if rank == 0:
            print(f"epoch {data.epoch}: nt-xent {loss:.4f}")


if __name__ == "__main__":
    launch(main)
