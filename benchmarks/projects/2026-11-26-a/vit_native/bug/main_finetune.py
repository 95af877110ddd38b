import argparse
import datetime
import json
import time

import torch
from torch.utils.data import DataLoader, TensorDataset

from engine_finetune import evaluate, train_one_epoch
from models_vit import PatchMixer
from util.misc import NativeScalerWithGradNormCount as NativeScaler


def get_args_parser():
    parser = argparse.ArgumentParser("fine-tuning", add_help=False)
    parser.add_argument("--batch_size", default=8, type=int)
    parser.add_argument("--epochs", default=2, type=int)
    parser.add_argument("--accum_iter", default=2, type=int, help="raises the effective batch size")
    parser.add_argument("--clip_grad", default=1.0, type=float)
    parser.add_argument("--blr", default=2e-3, type=float)
    parser.add_argument("--min_lr", default=1e-5, type=float)
    parser.add_argument("--warmup_epochs", default=1, type=int)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser


def patches(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 4, (n,), generator=g)
    x = torch.randn(n, 9, 16, generator=g) * 0.5
    x[torch.arange(n), y, :] += 1.0
    return TensorDataset(x, y)


def main(args):
    torch.manual_seed(0)
    device = torch.device(args.device)
    loader_train = DataLoader(patches(96, 0), args.batch_size, shuffle=True, drop_last=True)
    loader_val = DataLoader(patches(32, 1), args.batch_size)

    model = PatchMixer().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.blr)
    loss_scaler = NativeScaler(amp=device.type == "cuda")
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)

    start = time.time()
    for epoch in range(args.epochs):
        train_stats = train_one_epoch(model, criterion, loader_train, optimizer, device, epoch, loss_scaler, args)
        acc = evaluate(loader_val, model, device)
        print(json.dumps({**train_stats, "acc1": acc, "epoch": epoch}))
    print("Training time", datetime.timedelta(seconds=int(time.time() - start)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(parents=[get_args_parser()])
    main(parser.parse_args())
