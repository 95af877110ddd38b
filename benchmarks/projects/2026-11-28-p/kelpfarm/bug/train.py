import torch

from kelp.nets import FrondNet, ropes
from kelp.session import Session


def main():
    torch.manual_seed(23)
    net = FrondNet()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.02)
    session = Session(net, optimizer, limit=0.7)
    for week in range(3):
        print(week, session.train(ropes()))
    print(f"{len(session.watch.times)} batches timed")


if __name__ == "__main__":
    main()
