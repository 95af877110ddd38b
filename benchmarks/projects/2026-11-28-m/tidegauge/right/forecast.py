import sys

import torch

from tide.conf import load
from tide.gauge import loaders
from tide.huber import HuberForecaster

if __name__ == "__main__":
    torch.manual_seed(5)
    conf = load(sys.argv[1])
    for epoch, mae in HuberForecaster(conf, *loaders(conf)).fit():
        print(f"{epoch}: mae {mae:.4f}")
