import torch
from omegaconf import OmegaConf
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from pathology.data import SlidePatches
from pathology.model import build_encoder
from pathology.ssl import DINOHead, DINOLoss, multicrop


def pick_dtype(name):
    if name == "auto":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[name]


def main(path):
    cfg = OmegaConf.load(path)
    dtype = pick_dtype(cfg.precision)
    student = torch.nn.Sequential(build_encoder(cfg.arch), DINOHead(cfg.out_dim)).cuda()
    teacher = torch.nn.Sequential(build_encoder(cfg.arch), DINOHead(cfg.out_dim)).cuda()
    teacher.load_state_dict(student.state_dict())
    teacher.requires_grad_(False)
    criterion = DINOLoss(cfg.out_dim).cuda()
    optimizer = torch.optim.AdamW(student.parameters(), lr=cfg.lr)
    scaler = GradScaler("cuda", enabled=dtype is torch.float16)
    loader = DataLoader(SlidePatches(cfg.data, multicrop(cfg)), cfg.batch, shuffle=True, num_workers=10, drop_last=True)
    for epoch in range(cfg.epochs):
        student.train()
        for crops in loader:
            crops = [c.cuda(non_blocking=True) for c in crops]
            with autocast("cuda", dtype=dtype, enabled=dtype is not torch.float32):
                with torch.no_grad():
                    target = teacher(torch.cat(crops[:2]))
                loss = criterion([student(c) for c in crops], target, epoch)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(student.parameters(), cfg.clip)
            scaler.step(optimizer)
            scaler.update()
            with torch.no_grad():
                for s, t in zip(student.parameters(), teacher.parameters()):
                    t.mul_(cfg.momentum).add_(s, alpha=1 - cfg.momentum)
        print(epoch, loss.item(), scaler.get_scale())
        torch.save({"student": student.state_dict(), "teacher": teacher.state_dict()}, cfg.out)


if __name__ == "__main__":
    main("dino.yaml")
