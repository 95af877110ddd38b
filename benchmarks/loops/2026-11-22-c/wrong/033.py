import torch


class MiniTrainer:
    def __init__(self, max_epochs=10, accumulate_grad_batches=1, gradient_clip_val=None, log_every=20):
        self.max_epochs = max_epochs
        self.accumulate_grad_batches = accumulate_grad_batches
        self.gradient_clip_val = gradient_clip_val
        self.log_every = log_every
        self.global_step = 0

    def fit(self, module, loader):
        optimizer, scheduler = module.configure_optimizers()
        total = len(loader)
        for epoch in range(self.max_epochs):
            module.train()
            for idx, batch in enumerate(loader):
                loss = module.training_step(batch, idx)
                loss.backward()
                if (idx + 1) % self.accumulate_grad_batches == 0 or idx + 1 == total:
                    if self.gradient_clip_val:
                        torch.nn.utils.clip_grad_norm_(module.parameters(), self.gradient_clip_val)
                    optimizer.step()
                    optimizer.zero_grad()
                    self.global_step += 1
                if idx % self.log_every == 0:
                    print(f"epoch {epoch} [{idx}/{total}] loss {loss.item():.4f}")
            scheduler.step()


class Forecaster(torch.nn.Module):
    def __init__(self, width=64, lr=1e-2):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(24, width), torch.nn.ReLU(), torch.nn.Linear(width, 1))
        self.lr = lr

    def training_step(self, batch, idx):
        past, future = batch
        return torch.nn.functional.mse_loss(self.net(past), future)

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=self.lr)
        return optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.95)


def main(loader):
    MiniTrainer(max_epochs=5, accumulate_grad_batches=4).fit(Forecaster(), loader)
