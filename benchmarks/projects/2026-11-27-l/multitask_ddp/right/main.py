import torch

from multitask.fit import fit
from multitask.heads import TwoHeads, loader
from multitask.link import linked
from multitask.settings import LEARNING_RATE

if __name__ == "__main__":
    torch.manual_seed(17)
    with linked(TwoHeads()) as net:
        fit(net, loader(), torch.optim.Adam(net.parameters(), lr=LEARNING_RATE))
