import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler
from torch.utils.data import DataLoader


class InfoNCEHead(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.66))
        self.image = nn.Linear(dim, 512, bias=False)
        self.text = nn.Linear(dim, 512, bias=False)

    def forward(self, img, txt):
        img = F.normalize(self.image(img), dim=-1)
        txt = F.normalize(self.text(txt), dim=-1)
        return self.scale.exp().clamp(max=100) * img @ txt.T


class ClipTrainer:
    def __init__(self, vision: nn.Module, text: nn.Module, dim: int, lr: float = 5e-4, total: int = 30_000):
        self.modules = nn.ModuleDict({"vision": vision, "text": text, "head": InfoNCEHead(dim)}).cuda()
        self.optimizer = torch.optim.AdamW(self.modules.parameters(), lr=lr, betas=(0.9, 0.98), eps=1e-6)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, total)
        self.scaler = GradScaler("cuda")

    @torch.autocast("cuda", dtype=torch.bfloat16)
    def step(self, images, tokens):
        img = self.modules["vision"](images)
        txt = self.modules["text"](tokens)
        logits = self.modules["head"](img, txt)
        target = torch.arange(logits.size(0), device=logits.device)
        loss = (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.modules.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.scheduler.step()
        return loss.detach()

    def fit(self, loader: DataLoader, epochs: int):
        self.modules.train()
        for epoch in range(epochs):
            mean = torch.zeros((), device="cuda")
            for images, tokens in loader:
                mean += self.step(images.cuda(non_blocking=True), tokens.cuda(non_blocking=True))
            print(epoch, (mean / len(loader)).item())
