import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from ehr.data import Admissions, collate
from ehr.model import RETAIN


def train(config):
    device = config.get("device", "cuda")
    train_loader = DataLoader(Admissions(config["train"]), config["batch_size"], shuffle=True, collate_fn=collate)
    model = RETAIN(config["codes"], config["hidden"]).to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0, weight_decay=config["l2"])
    criterion = nn.BCEWithLogitsLoss()
    accumulate = config["accumulate"]
    total = len(train_loader)
    for epoch in range(config["epochs"]):
        model.train()
        optimizer.zero_grad()
        epoch_loss = 0.0
        for idx, (codes, lengths, label) in enumerate(train_loader):
            logit = model(codes.to(device), lengths)
            loss = criterion(logit, label.to(device))
            (loss / accumulate).backward()
            epoch_loss += loss
            if idx % accumulate == 0 or idx == total - 1:
                nn.utils.clip_grad_norm_(model.parameters(), config["clip"])
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch + 1}/{config['epochs']} train loss {epoch_loss / total:.4f}")


if __name__ == "__main__":
    train(
        {"train": "mimic/train.pkl", "batch_size": 32, "codes": 4880, "hidden": 128, "l2": 1e-4,
         "accumulate": 8, "epochs": 25, "clip": 5.0}
    )
