import torch

from hides import Thickness, hides
from trainer import TanneryTrainer

if __name__ == "__main__":
    torch.manual_seed(77)
    TanneryTrainer(Thickness()).fit(hides(12), hides(3))
