import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

HAS_CUDA = torch.cuda.is_available()


def grad_norm(module):
    norms = [p.grad.norm() for p in module.parameters() if p.grad is not None]
    return torch.stack(norms).norm().item()


class SegTrainer(object):
    def __init__(self, net, dl, max_norm=0.5):
        self.device = torch.device("cuda:0" if HAS_CUDA else "cpu")
        self.net = net.to(self.device)
        self.dl = dl
        self.max_norm = max_norm
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.grad_scaler = torch.amp.GradScaler("cuda", enabled=HAS_CUDA)
        self.global_step = 0

    def log_gradients(self):
        self.grad_scaler.unscale_(self.optimizer)
        print(f"step {self.global_step} |g|={grad_norm(self.net):.4f}")

    def train_step(self, img, msk):
        with torch.amp.autocast("cuda", enabled=HAS_CUDA):
            loss = nn.functional.cross_entropy(self.net(img), msk)
        self.optimizer.zero_grad(set_to_none=True)
        self.grad_scaler.scale(loss).backward()
        if self.global_step % 5 == 0:
            self.log_gradients()
        self.grad_scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()
        self.global_step += 1
        return loss.detach()

    def train(self, epochs):
        for ep in range(epochs):
            self.net.train()
            acc = torch.zeros((), device=self.device)
            for img, msk in self.dl:
                acc += self.train_step(img.to(self.device), msk.to(self.device))
            print(f"== epoch {ep}: {acc.item() / len(self.dl):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.rand(40, 1, 10, 10)
    data = TensorDataset(x, (x[:, 0] * 3).long())
    net = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 3, 1))
    SegTrainer(net, DataLoader(data, batch_size=8, shuffle=True)).train(epochs=2)
