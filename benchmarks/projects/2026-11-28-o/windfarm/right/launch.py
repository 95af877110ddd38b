import torch

from farm.contexts import process_group
from farm.turbine import PowerCurve, gusts
from farm.worker import Worker


def main():
    torch.manual_seed(2)
    with process_group():
        worker = Worker(PowerCurve(), lr=0.02, every=4)
        for epoch in range(2):
            print(epoch, worker.run_epoch(gusts(10, seed=epoch)))


if __name__ == "__main__":
    main()
