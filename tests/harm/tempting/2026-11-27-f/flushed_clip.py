import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def toy(rows):
    x = torch.randn(rows, 5)
    return TensorDataset(x, 3 * x[:, :1] * x[:, 1:2])


def main(args, record):
    accelerator = Accelerator(cpu=True)
    net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=args["lr"], momentum=0.9)
    loader = DataLoader(toy(args["rows"]), batch_size=args["batch"])
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    accum = args["accum"]
    optimizer.zero_grad()
    for epoch in range(args["epochs"]):
        losses = []
        for n, (x, y) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(net(x), y)
            accelerator.backward(loss / accum)
            accelerator.clip_grad_norm_(net.parameters(), args["max_norm"])
            losses.append(loss.item())
            if n % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
                record(list(net.parameters()))
        if n % accum != 0:
            optimizer.step()
            optimizer.zero_grad()
            record(list(net.parameters()))
        accelerator.print(epoch, sum(losses) / len(losses))


def train(record):
    torch.manual_seed(644)
    args = {"lr": 0.1, "rows": 66, "batch": 6, "accum": 3, "epochs": 2, "max_norm": 0.3}
    main(args, record)


if __name__ == "__main__":
    train(lambda parameters: None)
