import lightning as L
import torch
from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import LinearLR


class TwoTower(L.LightningModule):
    def __init__(self, user: nn.Module, item: nn.Module, window: int = 4, temperature: float = 0.05):
        super().__init__()
        self.automatic_optimization = False
        self.user, self.item = user, item
        self.window = window
        self.temperature = temperature
        self.pending = 0

    def configure_optimizers(self):
        opt_user = AdamW(self.user.parameters(), lr=1e-3)
        opt_item = AdamW(self.item.parameters(), lr=3e-4)
        warm = [LinearLR(o, 0.01, 1.0, total_iters=2000) for o in (opt_user, opt_item)]
        return [opt_user, opt_item], warm

    def contrast(self, batch):
        u = nn.functional.normalize(self.user(batch["user"]), dim=-1)
        v = nn.functional.normalize(self.item(batch["item"]), dim=-1)
        logits = u @ v.T / self.temperature
        return nn.functional.cross_entropy(logits, torch.arange(len(u), device=self.device))

    def window_size(self, batch_idx):
        total = self.trainer.num_training_batches
        start = batch_idx - batch_idx % self.window
        return min(self.window, total - start)

    def training_step(self, batch, batch_idx):
        loss = self.contrast(batch)
        self.manual_backward(loss / self.window_size(batch_idx))
        self.pending += 1
        self.log("loss", loss.detach(), prog_bar=True)
        if self.pending == self.window_size(batch_idx):
            self.apply_update()

    def apply_update(self):
        for opt, sched in zip(self.optimizers(), self.lr_schedulers()):
            self.clip_gradients(opt, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
            opt.step()
            sched.step()
            opt.zero_grad()
        self.pending = 0


def train(user, item, loader):
    trainer = L.Trainer(max_epochs=5, accelerator="gpu", devices=1, precision="bf16-mixed")
    trainer.fit(TwoTower(user, item), loader)
