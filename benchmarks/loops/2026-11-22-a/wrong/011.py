import torch
import torch.nn.functional as F
import wandb
from omegaconf import OmegaConf
from torch.cuda.amp import GradScaler, autocast

from clipmini.data import ImageTextLoader
from clipmini.model import DualEncoder


def info_nce(a, b, temperature):
    logits = F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).t() / temperature
    labels = torch.arange(len(a), device=a.device)
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2


def main(path="conf/train.yaml"):
    cfg = OmegaConf.load(path)
    wandb.init(project=cfg.project, config=OmegaConf.to_container(cfg))
    model = DualEncoder(**cfg.model).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.optim.lr, weight_decay=cfg.optim.wd)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.optim.lr, total_steps=cfg.steps)
    scaler = GradScaler(init_scale=2.0**14)
    model.train()

    for step, (image, text) in enumerate(ImageTextLoader(cfg.data)):
        if step >= cfg.steps:
            break
        with autocast():
            zi, zt = model(image.cuda(), text.cuda())
            loss = info_nce(zi, zt, cfg.temperature)
        opt.zero_grad()
        scaler.scale(loss).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.optim.clip)
        scaler.unscale_(opt)
        scaler.step(opt)
        scaler.update()
        sched.step()
        if step % cfg.log_every == 0:
            wandb.log({"loss": loss.item(), "norm": norm.item(), "lr": sched.get_last_lr()[0]}, step=step)


if __name__ == "__main__":
    main()
