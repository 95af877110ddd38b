import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from utils.dist import micro_sync
from utils.meters import Mean


class Engine:
    def __init__(self, net, loaders, cfg):
        self.net = net
        self.model = DistributedDataParallel(net)
        self.train_loader, self.val_loader = loaders
        self.cfg = cfg
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"])

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            if hasattr(self.train_loader, "set_epoch"):
                self.train_loader.set_epoch(epoch)
            loss = self.train_epoch()
            print(f"epoch {epoch}  loss {loss:.3f}  accuracy {self.validate():.3f}")

    def train_epoch(self):
        self.model.train()
        every, last = self.cfg["accumulate"], len(self.train_loader)
        meter = Mean()
        for n, (clips, labels) in enumerate(self.train_loader, start=1):
            final = n % every == 0 or n == last
            with micro_sync(self.model, final):
                loss = self.criterion(self.model(clips), labels)
                (loss / every).backward()
            meter.add(loss.item(), len(labels))
            if final:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return meter.value

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        meter = Mean()
        for clips, labels in self.val_loader:
            hits = self.net(clips).argmax(1) == labels
            meter.add(hits.float().mean().item(), len(labels))
        return meter.value
