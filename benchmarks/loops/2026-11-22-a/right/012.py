import torch
import torch.nn.functional as F
from omegaconf import OmegaConf
from torch.utils.data import DataLoader

from layout.data import DocBank
from layout.model import LayoutEncoder


def warm_up(model, loader, optimizer, steps, device):
    model.train()
    it = iter(loader)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 1e-6 * (step + 1)
        tokens, boxes, labels = (t.to(device) for t in next(it))
        loss = F.cross_entropy(model(tokens, boxes).transpose(1, 2), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(path="layout.yaml"):
    cfg = OmegaConf.load(path)
    device = torch.device(cfg.device)
    loader = DataLoader(DocBank(cfg.data), batch_size=cfg.batch, shuffle=True, drop_last=True)
    model = LayoutEncoder(cfg.model).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    warm_up(model, loader, optimizer, cfg.warmup, device)

    optimizer.param_groups[0]["lr"] = cfg.lr
    optimizer.zero_grad()
    for epoch in range(cfg.epochs):
        model.train()
        for i, batch in enumerate(loader):
            tokens, boxes, labels = (t.to(device) for t in batch)
            loss = F.cross_entropy(model(tokens, boxes).transpose(1, 2), labels)
            (loss / cfg.accumulate).backward()
            if (i + 1) % cfg.accumulate == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
