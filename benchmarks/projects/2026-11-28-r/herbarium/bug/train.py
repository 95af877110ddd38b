import torch
from torch.utils.data import DataLoader, TensorDataset

import presses  # noqa: F401
import updates  # noqa: F401
from engine import press_all
from registry import PRESSES, SCHEDULES, UPDATES
from settings import SETTINGS


def sheets(species):
    x = torch.randn(72, 10)
    return DataLoader(TensorDataset(x, x[:, :species].argmax(1)), batch_size=8, shuffle=True)


def main():
    torch.manual_seed(8)
    net = PRESSES[SETTINGS["press"]](SETTINGS["species"])
    loader = sheets(SETTINGS["species"])
    optimizer = torch.optim.Adam(net.parameters(), lr=SETTINGS["lr"])
    schedule = SCHEDULES[SETTINGS["schedule"]](optimizer, SETTINGS["epochs"] * len(loader))
    update = UPDATES[SETTINGS["update"]]
    for epoch in range(SETTINGS["epochs"]):
        loss, rate = press_all(net, loader, optimizer, update, schedule)
        print(f"{epoch}: loss {loss:.4f}, rate {rate:.5f}")


if __name__ == "__main__":
    main()
