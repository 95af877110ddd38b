import torch
from torch.nn.functional import cross_entropy

from jobs.clicks import batches
from towerlib import GradientLedger, TwoTower, at_rest, recall
from towerlib.ledger import bounded

USERS, ITEMS = 60, 90


def train_epoch(model, data, optimizer, scaler, ledger):
    for user, item in data:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.float16):
            scores = model(user, item)
        loss = cross_entropy(scores.float(), torch.arange(len(user)))
        scaler.scale(loss).backward()
        ledger.note()
        bounded(model, 0.5)
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


def main():
    torch.manual_seed(3)
    model = TwoTower(USERS, ITEMS)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    ledger = GradientLedger(optimizer, scaler)
    fit, held = batches(12, 16, USERS, ITEMS), batches(3, 16, USERS, ITEMS)
    for epoch in range(3):
        loss = train_epoch(model, fit, optimizer, scaler, ledger)
        with at_rest(model):
            found = recall(model, held, k=4)
        print(epoch, round(loss, 4), round(found, 3), round(ledger.peaks[-1], 5))


if __name__ == "__main__":
    main()
