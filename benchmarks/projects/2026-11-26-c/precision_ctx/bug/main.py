import argparse
import json

import torch

from data import make_loaders
from fit import Fitter
from nets import build_net
from strategy import Precision


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", required=True)
    args = ap.parse_args()
    with open(args.config) as fh:
        cfg = json.load(fh)

    torch.manual_seed(cfg["seed"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, test_loader = make_loaders(cfg["batch_size"])
    net = build_net(cfg["width"], cfg["depth"]).to(device)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=cfg["lr"])
    precision = Precision(cfg["precision"], device)
    fitter = Fitter(net, optimizer, precision, cfg["max_norm"], device)

    for epoch in range(cfg["epochs"]):
        loss = fitter.train_epoch(train_loader)
        print(f"epoch {epoch} train {loss:.4f} test {fitter.test(test_loader):.4f}")


if __name__ == "__main__":
    main()
