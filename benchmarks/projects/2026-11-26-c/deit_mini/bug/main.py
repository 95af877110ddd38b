import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn as nn

import util.misc as misc
from datasets import build_loader
from engine import evaluate, train_one_epoch
from models import vit_micro
from util.misc import NativeScalerWithGradNormCount as NativeScaler


def get_args_parser():
    parser = argparse.ArgumentParser("micro ViT training", add_help=False)
    parser.add_argument("--batch_size", default=8, type=int)
    parser.add_argument("--epochs", default=2, type=int)
    parser.add_argument("--accum_iter", default=4, type=int,
                        help="accumulate gradient iterations")
    parser.add_argument("--clip_grad", type=float, default=1.0)
    parser.add_argument("--lr", type=float, default=5e-4)
    parser.add_argument("--weight_decay", type=float, default=0.05)
    parser.add_argument("--min_lr", type=float, default=1e-6)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", default=0, type=int)
    parser.add_argument("--no_amp", action="store_true")
    parser.add_argument("--output_dir", default="")
    return parser


def main(args):
    misc.fix_seed(args.seed)
    device = torch.device(args.device)

    data_loader_train = build_loader(True, args.batch_size)
    data_loader_val = build_loader(False, args.batch_size)

    model = vit_micro().to(device)
    n_parameters = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print("number of params:", n_parameters)

    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    lr_scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, T_max=args.epochs, eta_min=args.min_lr)
    loss_scaler = NativeScaler(device.type, enabled=not args.no_amp)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    max_accuracy = 0.0
    start = time.time()
    for epoch in range(args.epochs):
        train_stats = train_one_epoch(
            model, criterion, data_loader_train, optimizer, device, epoch, loss_scaler, args)
        lr_scheduler.step()

        test_stats = evaluate(data_loader_val, model, device)
        max_accuracy = max(max_accuracy, test_stats["acc1"])
        log_stats = {"epoch": epoch,
                     **{f"train_{k}": v for k, v in train_stats.items()},
                     **{f"test_{k}": v for k, v in test_stats.items()}}
        print(json.dumps(log_stats))
        if args.output_dir:
            with (Path(args.output_dir) / "log.txt").open("a") as f:
                f.write(json.dumps(log_stats) + "\n")
    print(f"max accuracy {max_accuracy:.1f}% in {time.time() - start:.1f}s")


if __name__ == "__main__":
    main(argparse.ArgumentParser(parents=[get_args_parser()]).parse_args())
