import argparse

import torch

from lava.config import Config
from lava.flow import Flow
from lava.rock import crater, slopes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/base.yaml")
    config = Config.load(parser.parse_args().config)
    torch.manual_seed(config.seed)
    net = crater()
    flow = Flow(config, net, torch.optim.AdamW(net.parameters(), lr=config.lr))
    for eruption in range(config.eruptions):
        flow.erupt(slopes(64), slopes(16))
        print(f"eruption {eruption}: probes {['%.3f' % probe for probe in flow.probes[-2:]]}")


if __name__ == "__main__":
    main()
