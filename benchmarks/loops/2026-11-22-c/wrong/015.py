import torch
import torch.nn.functional as F


class DepthTrainer:
    def __init__(self, model, optimizer, loader, accum=2, clip=1.0):
        self.model = model
        self.optimizer = optimizer
        self.loader = loader
        self.accum = accum
        self.clip = clip
        self.scaler = torch.amp.GradScaler("cuda")
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3)

    def optimizer_step(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.scaler.step(self.optimizer)
        self.optimizer.zero_grad(set_to_none=True)

    def loss(self, image, depth):
        with torch.autocast("cuda"):
            prediction = self.model(image)
        valid = depth > 0
        return F.l1_loss(prediction.float()[valid], depth[valid])

    def epoch(self):
        self.model.train()
        total = 0.0
        for i, (image, depth) in enumerate(self.loader, start=1):
            loss = self.loss(image.cuda(), depth.cuda())
            self.scaler.scale(loss / self.accum).backward()
            total += loss.item()
            if i % self.accum == 0 or i == len(self.loader):
                self.optimizer_step()
        return total / len(self.loader)

    def fit(self, epochs):
        for n in range(epochs):
            mean = self.epoch()
            self.plateau.step(mean)
            print(n, mean, self.optimizer.param_groups[0]["lr"])
