import torch

from . import Settings
from .fit import fit
from .net import MoistureNet
from .series import weather


def main():
    settings = Settings()
    torch.manual_seed(settings.seed)
    trail = fit(MoistureNet(), weather(settings), settings)
    print("batches", len(trail.values["loss"]))


main()
