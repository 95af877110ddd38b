import sys

import torch

from distill.config import Config
from distill.data import build_loaders
from distill.models import build
from distill.trainer import Distiller, pretrain_teacher


def main():
    cfg = Config.load(sys.argv[1])
    torch.manual_seed(cfg.seed)
    train_loader, val_loader = build_loaders(cfg)
    teacher = build(cfg.teacher_width)
    pretrain_teacher(teacher, train_loader, epochs=cfg.teacher_epochs)
    student = build(cfg.student_width)
    Distiller(cfg, teacher, student).run(train_loader, val_loader)


if __name__ == "__main__":
    main()
