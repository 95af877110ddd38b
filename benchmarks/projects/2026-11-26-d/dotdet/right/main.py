import torch

import comm
from builders import build_criterion, build_model, build_optimizer
from options import get_options
from scenes import scenes
from trainer import train_one_epoch


def main():
    opt = get_options()
    torch.manual_seed(opt.seed)
    comm.init()
    model = build_model(opt)
    optimizer = build_optimizer(opt, model)
    criterion = build_criterion(opt)
    data = scenes(opt.scenes, opt.batch)
    for epoch in range(opt.epochs):
        print("epoch", epoch, "loss", round(train_one_epoch(model, criterion, optimizer, data, opt.accum), 4))
    comm.close()


if __name__ == "__main__":
    main()
