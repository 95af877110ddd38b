import json
import sys

import torch

from callbacks import CALLBACKS
from fitting import Fitting
from gcn import GCN, payments


def main(path):
    with open(path) as handle:
        config = json.load(handle)
    torch.manual_seed(config["seed"])
    graph = payments(config["accounts"])
    net = GCN(graph.x.shape[1], config["hidden"], config["dropout"])
    optimizer = torch.optim.Adam(net.parameters(), lr=config["lr"])
    callbacks = [CALLBACKS[name](**options) for name, options in config["callbacks"].items()]
    Fitting(net, optimizer, callbacks).run(graph, config["epochs"])


if __name__ == "__main__":
    main(sys.argv[1])
