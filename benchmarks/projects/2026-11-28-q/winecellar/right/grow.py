import argparse
import json

import torch

from cellar.red import RedGrower
from cellar.vines import Vine, rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="settings.json")
    with open(parser.parse_args().settings) as file:
        settings = json.load(file)
    torch.manual_seed(5)
    vine = Vine()
    grower = RedGrower(vine, torch.optim.Adam(vine.parameters(), lr=settings["lr"]), settings["window"])
    grower.fit(rows(settings["grapes"]), rows(16), settings["seasons"])


if __name__ == "__main__":
    main()
