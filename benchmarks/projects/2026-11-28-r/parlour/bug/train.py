import torch
import yaml

from engine import milk
from herd import Yield, cows
from utils.dist import new_round, shares, start, stop, wrap
from utils.meters import Meter


def main():
    with open("parlour.yaml") as file:
        conf = yaml.safe_load(file)
    start()
    torch.manual_seed(conf["seed"])
    model = wrap(Yield(conf["sensors"]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=conf["lr"])
    loader = shares(cows(conf["sensors"]), conf["batch"])
    for morning in range(conf["mornings"]):
        new_round(loader, morning)
        meter = Meter()
        milk(model, loader, optimizer, meter, conf["window"])
        print(f"morning {morning}: {meter.mean():.4f}")
    stop()


if __name__ == "__main__":
    main()
