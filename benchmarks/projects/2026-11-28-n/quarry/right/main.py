import json

import torch

from jobs import crusher_job, sorter_job
from runner import Runner


def main():
    with open("quarry.json") as file:
        plan = json.load(file)
    torch.manual_seed(plan["seed"])
    stones = [torch.rand(8, 6) for _ in range(plan["batches"])]
    runner = Runner([crusher_job(plan), sorter_job(plan)], stones)
    runner.run(plan["shifts"])


if __name__ == "__main__":
    main()
