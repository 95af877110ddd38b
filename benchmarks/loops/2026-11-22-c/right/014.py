import torch
from torch import nn


class Precision:
    def __init__(self, name: str):
        self.name = name
        self.scaler = None
        match name:
            case "fp16":
                self.dtype = torch.float16
                self.scaler = torch.amp.GradScaler("cuda")
            case "bf16":
                self.dtype = torch.bfloat16
            case _:
                self.dtype = None

    def autocast(self):
        return torch.autocast("cuda", dtype=self.dtype or torch.float16, enabled=self.dtype is not None)

    def update(self, loss, optimizer, parameters, max_norm):
        optimizer.zero_grad(set_to_none=True)
        match self.name:
            case "fp16":
                self.scaler.scale(loss).backward()
                self.scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(parameters, max_norm)
                self.scaler.step(optimizer)
                self.scaler.update()
            case _:
                loss.backward()
                nn.utils.clip_grad_norm_(parameters, max_norm)
                optimizer.step()


def train(model, loader, precision="bf16", epochs=3, lr=2e-4, max_norm=1.0):
    amp = Precision(precision)
    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=lr)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            with amp.autocast():
                loss = criterion(model(x), y)
            amp.update(loss, optimizer, parameters, max_norm)
        print(epoch, loss.item())
