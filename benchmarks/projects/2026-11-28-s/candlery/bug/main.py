import json
import sys

import torch

from appraise import appraise
from duo import Duo
from nets import Mould, Wick, pours
from rounds import play


def main(path):
    with open(path) as stream:
        settings = json.load(stream)
    torch.manual_seed(settings["seed"])
    mould, wick = Mould(), Wick()
    duo = Duo(mould, wick, settings["rates"], settings["decay"])
    held = pours(3, seed=52)
    for turn in range(settings["rounds"]):
        loss = play(mould, wick, duo, pours(settings["batches"], seed=51))
        burn = appraise(mould, wick, held)
        print(f"round {turn}: {loss:.4f} held out {burn:.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "settings.json")
