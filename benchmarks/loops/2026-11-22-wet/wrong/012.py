import itertools

import torch
import torch.nn.functional as F

from config import cfg
from data import make_loader
from model import GPT


def main():
    torch.manual_seed(cfg.seed)
    model = GPT(cfg.model).to(cfg.device)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95), weight_decay=0.1)
    batches = itertools.cycle(make_loader(cfg.data))
    opt.zero_grad(set_to_none=True)

    micro = 0
    while micro < cfg.max_updates * 4:
        x, y = next(batches)
        logits = model(x.to(cfg.device))
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), y.to(cfg.device).view(-1))
        loss.backward()
        micro += 1
        if micro % 4 == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            print(f"update {micro // 4}: {loss.item():.3f}")

    torch.save(model.state_dict(), cfg.out)


if __name__ == "__main__":
    main()
