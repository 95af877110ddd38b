import torch

from perfumery.blends import Nose, blends
from perfumery.lab import Lab

if __name__ == "__main__":
    torch.manual_seed(1889)
    Lab(Nose(), lr=5e-3, harmony=0.4).work(blends(9), days=3)
