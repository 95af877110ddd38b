import torch

from quarry import Runner
from quarry.hooks import GradientCap, Report
from quarry.nets import Seismo, shots


def main():
    torch.manual_seed(11)
    net = Seismo()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    runner = Runner(net, opt, hooks=[GradientCap(0.5), Report()])
    runner.run(shots(64), rounds=3)


if __name__ == "__main__":
    main()
