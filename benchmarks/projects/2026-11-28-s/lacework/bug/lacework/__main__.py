import torch

from .bobbin import BobbinTrainer
from .nets import ThreadNet, patterns


def main():
    torch.manual_seed(0)
    net = ThreadNet(threads=8, stitches=3)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    trainer = BobbinTrainer(net, optimizer, epochs=3, limit=2.0)
    trainer.fit(patterns(batches=9))
    print("means:", [round(m, 4) for m in trainer.means])


main()
