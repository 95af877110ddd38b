import copy

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, train_loader, val_loader, *, lr=1e-3, epochs=50):
        self.model = model
        self.train_loader, self.val_loader = train_loader, val_loader
        self.epochs = epochs
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=15, gamma=0.1)
        self.best_score, self.best_state = -1.0, None

    def fit(self):
        self.model.train()
        for epoch in range(self.epochs):
            loss = self._run_epoch()
            self.scheduler.step()
            score = self.evaluate()
            if score > self.best_score:
                self.best_score = score
                self.best_state = copy.deepcopy(self.model.state_dict())
            print(f"{epoch:03d} loss={loss:.4f} acc={score:.4f} best={self.best_score:.4f}")
        self.model.load_state_dict(self.best_state)
        return self.model

    def _run_epoch(self):
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        right = rows = 0
        for x, y in self.val_loader:
            right += (self.model(x).argmax(-1) == y).sum().item()
            rows += len(y)
        return right / rows
