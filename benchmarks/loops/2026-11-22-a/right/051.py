import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from sleep.data import SleepEDF
from sleep.model import UTime


def train(hp: dict) -> None:
    device = torch.device(hp["device"])
    loader = DataLoader(SleepEDF(hp["root"]), batch_size=hp["batch"], shuffle=True, drop_last=True)
    net = UTime(channels=2, stages=5).to(device)
    opt = torch.optim.Adam(net.parameters(), lr=hp["lr"])
    criterion = nn.CrossEntropyLoss(ignore_index=5)
    share = torch.tensor(1.0 / hp["window"], device=device)
    step = 0
    while step < hp["updates"] * hp["window"]:
        for signal, stage in loader:
            net.train()
            loss = criterion(net(signal.to(device)), stage.to(device))
            loss.backward(gradient=share)
            step += 1
            if step % hp["window"] == 0:
                nn.utils.clip_grad_norm_(net.parameters(), hp["clip"])
                opt.step()
                opt.zero_grad()
            if step % (100 * hp["window"]) == 0:
                print(step // hp["window"], loss.item())
            if step == hp["updates"] * hp["window"]:
                break
    torch.save(net.state_dict(), hp["out"])


if __name__ == "__main__":
    train({"device": "cuda", "root": "sleep-edf", "batch": 12, "lr": 5e-6, "window": 4, "updates": 20_000,
           "clip": 1.0, "out": "utime.pt"})
