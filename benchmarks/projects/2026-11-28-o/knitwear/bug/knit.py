import torch
import yaml

from loom.frame import Loom
from loom.group import single_process
from loom.patterns import stitches
from loom.plans import PlainPlan, WindowPlan
from loom.weave import weave

PLANS = {"plain": PlainPlan, "accumulate": WindowPlan}


def main():
    with open("options.yaml") as file:
        options = yaml.safe_load(file)
    torch.manual_seed(options["window"])
    with single_process():
        loom = Loom(torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.ReLU(), torch.nn.Linear(12, 6)))
        optimizer = torch.optim.SGD(loom.model.parameters(), lr=options["lr"])
        plan = PLANS[options["strategy"]](options["window"], options["batches"])
        optimizer.zero_grad()
        for epoch in range(options["epochs"]):
            print(epoch, weave(loom, optimizer, plan, stitches(options["batches"], epoch)))


main()
