import torch
from torch import nn
from torch.utils.data import DataLoader

from recsys import optim


class Fitter:
    def __init__(self, model: nn.Module, data, cfg: dict) -> None:
        self.model, self.cfg = model, cfg
        self.loader = DataLoader(data, batch_size=cfg["train"]["batch_size"], shuffle=True)
        self.params = optim.trainable(model)
        self.optimizer, self.decay = optim.build(self.params, cfg["optim"])
        self.loss = nn.CrossEntropyLoss()

    def fit(self) -> None:
        for epoch in range(self.cfg["train"]["epochs"]):
            running = torch.zeros(())
            for user, item in self.loader:
                loss = self.loss(self.model(user), item)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.params, self.cfg["optim"]["clip"])
                self.optimizer.step()
                running += loss.detach()
            self.decay.step()
            lr = self.optimizer.param_groups[0]["lr"]
            print(f"{epoch}: {running.item() / len(self.loader):.4f} lr {lr:g}")
