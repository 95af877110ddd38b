import torch
from torch import nn


class SpeakerTrainer(object):
    def __init__(self, model, train_loader, test_loader, args):
        self.model = model
        self.train_loader = train_loader
        self.test_loader = test_loader
        self.args = args
        self.aam = nn.Linear(192, args.speakers)
        self.optimizer = torch.optim.Adam(
            [{"params": model.parameters()}, {"params": self.aam.parameters(), "weight_decay": 2e-4}],
            lr=args.lr,
        )
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=1, gamma=0.97)

    def update(self, loss):
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)
        self.optimizer.zero_grad()
        self.optimizer.step()

    def train_network(self, epoch):
        self.model.train()
        lr = self.optimizer.param_groups[0]["lr"]
        total = 0.0
        for num, (data, labels) in enumerate(self.train_loader, start=1):
            embedding = self.model(data)
            loss = nn.functional.cross_entropy(self.aam(embedding), labels)
            self.update(loss)
            total += loss.detach().item()
            print(f"[{epoch:2d}] lr {lr:.6f} loss {total / num:.5f}", end="\r")
        self.scheduler.step()
        return total / num

    def run(self):
        for epoch in range(1, self.args.max_epoch + 1):
            loss = self.train_network(epoch)
            if epoch % self.args.test_step == 0:
                torch.save(self.model.state_dict(), f"{self.args.save}/{epoch:04d}.model")
            print(f"epoch {epoch} loss {loss:.5f}")
