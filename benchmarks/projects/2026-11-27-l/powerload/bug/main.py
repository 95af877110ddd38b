import json
from functools import partial
from pathlib import Path

import torch

from powerload.feed import make_loader
from powerload.forecaster import Forecaster, fit_epoch
from powerload.updates import flush


def main() -> None:
    options = json.loads(Path("options.json").read_text())
    torch.manual_seed(options["seed"])
    loader = make_loader(options["hours"], options["lag"], options["batch_size"])
    model = Forecaster(options["lag"])
    optimizer = torch.optim.Adam(model.parameters(), lr=options["lr"])
    scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)
    update = partial(flush, optimizer)
    history = []
    for epoch in range(options["epochs"]):
        fit_epoch(model, loader, scaler, update, options["accumulate"], history.append)
        recent = history[-len(loader) :]
        print(f"epoch {epoch}: mse {float(sum(recent)) / len(recent):.4f}")


if __name__ == "__main__":
    main()
