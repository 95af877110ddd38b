import torch
from mmengine.optim import AmpOptimWrapper
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader

from crowd.data import CrowdDataset
from crowd.model import CSRNet


class DensityRunner:
    def __init__(self, root, *, epochs=400, accumulate=4, lr=1e-4):
        self.loader = DataLoader(CrowdDataset(root, "train"), 4, shuffle=True, num_workers=4)
        self.val_loader = DataLoader(CrowdDataset(root, "val"), 1)
        self.model = CSRNet().cuda()
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.optim_wrapper = AmpOptimWrapper(
            loss_scale="dynamic",
            optimizer=optimizer,
            accumulative_counts=accumulate,
            clip_grad={"max_norm": 5.0},
        )
        self.optim_wrapper.initialize_count_status(self.model, 0, epochs * len(self.loader))
        self.schedule = CosineAnnealingLR(optimizer, T_max=epochs)
        self.criterion = nn.MSELoss(reduction="mean")
        self.epochs = epochs

    def train_iter(self, image, density):
        with self.optim_wrapper.optim_context(self.model):
            loss = self.criterion(self.model(image), density)
        self.optim_wrapper.update_params(loss)
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        error = 0.0
        for image, density in self.val_loader:
            error += abs(self.model(image.cuda()).sum().item() - density.sum().item())
        return error / len(self.val_loader)

    def run(self):
        best = float("inf")
        for epoch in range(self.epochs):
            self.model.train()
            losses = [self.train_iter(image.cuda(), density.cuda()) for image, density in self.loader]
            self.schedule.step()
            mae = self.validate()
            if mae < best:
                best = mae
                torch.save(self.model.state_dict(), "best.pth")
            print(f"{epoch} loss {sum(losses) / len(losses):.5f} mae {mae:.2f} best {best:.2f}")


if __name__ == "__main__":
    DensityRunner("data/shanghai").run()
