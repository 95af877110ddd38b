# === a scaler for a step that is decorated with bfloat16
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    @torch.autocast("cuda", dtype=torch.bfloat16)
    def loss(self, x, y):
        return F.cross_entropy(self.model(x), y)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            self.scaler.scale(self.loss(x, y)).backward()  # <- scaler-with-bfloat16
            self.scaler.step(self.optimizer)
            self.scaler.update()
# === right: the decorator means float16
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    @torch.autocast("cuda", dtype=torch.float16)
    def loss(self, x, y):
        return F.cross_entropy(self.model(x), y)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            self.scaler.scale(self.loss(x, y)).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
