from functools import partial
from pathlib import Path

import torch
import yaml

from ema import WeightAverage
from herbarium import leaves
from pieces import run_epoch
from plan import make_plan


def main():
    conf = yaml.safe_load((Path(__file__).parent / "conf" / "leaf.yaml").read_text())
    torch.manual_seed(conf["seed"])
    net = torch.nn.Sequential(torch.nn.Linear(6, 24), torch.nn.Tanh(), torch.nn.Linear(24, 5))
    make_opt = partial(getattr(torch.optim, conf["optimizer"]["name"]), **conf["optimizer"]["args"])
    opt = make_opt(net.parameters())
    pieces = leaves(conf["samples"], conf["piece"])
    plan = make_plan(opt, conf, len(pieces))
    average = WeightAverage(net, conf["ema"])
    seen = []
    epoch_of = partial(
        run_epoch,
        net,
        opt,
        every=conf["every"],
        after_piece=[seen.append, lambda _: plan.step()],
        after_update=[partial(average.absorb, net)],
    )
    for epoch in range(conf["epochs"]):
        acc = epoch_of(pieces)
        print(f"epoch {epoch}: acc {acc:.3f} last loss {seen[-1]:.3f} lr {plan.get_last_lr()[0]:.4f}")
    print(f"drift {average.distance(net):.4f}")


if __name__ == "__main__":
    main()
