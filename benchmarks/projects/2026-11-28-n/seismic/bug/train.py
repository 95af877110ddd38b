import torch

from picker import PhasePicker
from traces import Traces


def main():
    torch.manual_seed(13)
    picker = PhasePicker(Traces(10), window=4)
    for epoch in range(3):
        print(epoch, picker.epoch(), f"{picker.norm:.3f}")


if __name__ == "__main__":
    main()
