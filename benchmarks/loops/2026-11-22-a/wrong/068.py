import torch
import torch.nn as nn
from torch.utils.data import DataLoader, random_split

from retina.data import FundusDataset
from retina.model import EfficientClassifier
from retina.utils import qwk


class Engine:
    def __init__(self, model, lr, epochs):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")
        self.criterion = nn.SmoothL1Loss()
        self.epochs = epochs

    def train_fn(self, loader):
        self.model.train()
        total = 0.0
        for image, grade in loader:
            self.optimizer.zero_grad(set_to_none=True)
            with torch.amp.autocast("cuda"):
                pred = self.model(image.cuda()).squeeze(1)
                loss = self.criterion(pred, grade.cuda().float())
                self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            total += loss.item()
        return total / len(loader)

    def eval_fn(self, loader):
        self.model.eval()
        preds, grades = [], []
        with torch.no_grad():
            for image, grade in loader:
                preds.append(self.model(image.cuda()).squeeze(1).cpu())
                grades.append(grade)
        return qwk(torch.cat(preds), torch.cat(grades))

    def run(self, train_loader, valid_loader):
        for epoch in range(self.epochs):
            loss = self.train_fn(train_loader)
            self.scaler.update()
            print(f"Epoch {epoch}: loss {loss:.4f} kappa {self.eval_fn(valid_loader):.4f}")


if __name__ == "__main__":
    data = FundusDataset("aptos2019")
    train, valid = random_split(data, [0.9, 0.1], generator=torch.Generator().manual_seed(1))
    engine = Engine(EfficientClassifier("b5").cuda(), lr=2e-4, epochs=15)
    engine.run(DataLoader(train, 16, shuffle=True), DataLoader(valid, 32))
