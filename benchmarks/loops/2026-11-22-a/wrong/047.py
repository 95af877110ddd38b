import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import transforms

from pose.coco import CocoKeypoints
from pose.hrnet import HRNet


def get_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--accum-steps", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=210)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser


def main():
    args = get_parser().parse_args()
    normalize = transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    dataset = CocoKeypoints(args.data, "train2017", transform=transforms.Compose([transforms.ToTensor(), normalize]))
    loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True, num_workers=8, pin_memory=True)
    model = nn.DataParallel(HRNet(width=32, joints=17)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), args.lr)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [170, 200], 0.1)
    criterion = nn.MSELoss()

    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        for i, (image, heatmap, weight) in enumerate(loader):
            image, heatmap = image.cuda(non_blocking=True), heatmap.cuda(non_blocking=True)
            weight = weight.cuda(non_blocking=True)
            output = model(image)
            loss = criterion(output * weight, heatmap * weight)
            loss = loss / args.batch_size
            loss.backward()
            if (i + 1) % args.accum_steps == 0 or (i + 1) == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            if i % 100 == 0:
                print(f"Epoch [{epoch}][{i}/{len(loader)}] loss {loss.item() * args.batch_size:.5f}")
        scheduler.step()


if __name__ == "__main__":
    main()
