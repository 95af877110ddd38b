import torch

from junctions import junction_batches
from optimpack import OptimizerPack
from probe import DayProbe
from trunk import TwoTask

SPECS = {
    "trunk": {"kind": "AdamW", "lr": 3e-3, "weight_decay": 0.01},
    "heads": {"kind": "SGD", "lr": 0.1, "momentum": 0.8},
}


def main():
    torch.manual_seed(12)
    net = TwoTask()
    pack = OptimizerPack(net, SPECS)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    probe = DayProbe(net.width, scaler)
    for step, (x, flow, jam, day) in enumerate(junction_batches(24)):
        pack.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            hidden = net.encode(x)
            loss = net.loss(hidden, flow, jam)
        scaler.scale(loss).backward()
        aux = probe.learn(hidden.detach().float(), day)
        pack.step(scaler)
        scaler.step(probe.optimizer)
        scaler.update()
        if step % 8 == 7:
            print(f"{step + 1}: tasks {loss.item():.3f} probe {aux:.3f}")


if __name__ == "__main__":
    main()
