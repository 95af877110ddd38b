import torch
from torch.utils.data import DataLoader

from towers import PROTOCOLS, STRATEGIES
from towers.model import TwoTower, clicks

CONFIG = {
    "users": 50,
    "items": 20,
    "epochs": 2,
    "strategy": "window",
    "every": 5,
    "protocol": "mrr",
    "lr": 0.5,
}


def main(cfg):
    torch.manual_seed(0)
    model = TwoTower(cfg["users"], cfg["items"])
    optimizer = torch.optim.Adagrad(model.parameters(), lr=cfg["lr"])
    strategy = STRATEGIES[cfg["strategy"]](cfg["every"])
    evaluate = PROTOCOLS[cfg["protocol"]]
    train = DataLoader(clicks(50, 20, 400, 0), batch_size=16, shuffle=True)
    held_out = DataLoader(clicks(50, 20, 100, 1), batch_size=50)
    for epoch in range(cfg["epochs"]):
        model.train()
        optimizer.zero_grad()
        for n, (user, item) in enumerate(train, 1):
            strategy.backward(model(user, item))
            if strategy.due(n, len(train)):
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, cfg["protocol"], round(evaluate(model, held_out), 4))


if __name__ == "__main__":
    main(CONFIG)
