import argparse

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from datasets import build_loaders
from dist_utils import init_distributed, is_main_process
from engine import evaluate, train_one_epoch
from model import TinyDetector


def get_args():
    parser = argparse.ArgumentParser("detector")
    parser.add_argument("--epochs", default=3, type=int)
    parser.add_argument("--batch-size", default=4, type=int)
    parser.add_argument("--accum-iter", default=3, type=int)
    parser.add_argument("--lr", default=1e-3, type=float)
    parser.add_argument("--clip-max-norm", default=1.0, type=float)
    return parser.parse_args()


def main(args):
    init_distributed(port=29611)
    torch.manual_seed(3 + dist.get_rank())

    model = TinyDetector(num_classes=5)
    model = DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
    train_loader, val_loader = build_loaders(args.batch_size)

    model.train()
    for epoch in range(args.epochs):
        stats = train_one_epoch(model, train_loader, optimizer, epoch, args.accum_iter, args.clip_max_norm)
        lr_scheduler.step()
        val = evaluate(model, val_loader)
        if is_main_process():
            print(f"epoch {epoch}: loss {stats['loss']:.4f} val {val:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(get_args())
