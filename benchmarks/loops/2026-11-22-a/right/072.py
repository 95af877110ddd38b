import argparse

import torch
from mmengine.optim import AmpOptimWrapper
from mmengine.runner import load_checkpoint
from torch.utils.data import DataLoader

from ocr_rec.data import TextRecog, collate
from ocr_rec.model import ABINet


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--resume")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--accumulate", type=int, default=4)
    args = parser.parse_args()
    model = ABINet(classes=37).cuda()
    if args.resume:
        load_checkpoint(model, args.resume)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    wrapper = AmpOptimWrapper(
        optimizer=optimizer, accumulative_counts=args.accumulate, clip_grad=dict(max_norm=20.0), loss_scale="dynamic"
    )
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [12, 17])
    loader = DataLoader(TextRecog(args.root), 192, shuffle=True, collate_fn=collate, num_workers=8)
    wrapper.initialize_count_status(model, 0, args.epochs * len(loader))
    for epoch in range(args.epochs):
        model.train()
        for i, (image, text) in enumerate(loader):
            with wrapper.optim_context(model):
                loss = model(image.cuda(), text.cuda())["loss"]
            wrapper.update_params(loss)
            if i % 100 == 0:
                print(f"epoch {epoch} [{i}/{len(loader)}] {loss.item():.4f}")
        scheduler.step()
        torch.save(model.state_dict(), f"abinet_{epoch}.pth")


if __name__ == "__main__":
    main()
