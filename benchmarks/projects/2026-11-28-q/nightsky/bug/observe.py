import torch

from sky.build import instrument
from sky.night import Night
from sky.stars import field


def main():
    torch.manual_seed(77)
    lens, parts = instrument(lr=0.1)
    night = Night(lens, **parts)
    for hour in range(4):
        night.watch(field(60))
        print(f"hour {hour}: rate {night.rate():.4f} haze {night.haze:.4f}")


if __name__ == "__main__":
    main()
