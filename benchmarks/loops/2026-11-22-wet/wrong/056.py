import torch
from torch.cuda import amp
from tqdm import tqdm

from keypoints import HeatmapLoss, build_hourglass


def train(args):
    model = build_hourglass(args.stacks).cuda()
    criterion = HeatmapLoss()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=args.lr)
    scaler = amp.GradScaler(enabled=True)
    best = None

    for epoch in range(args.epochs):
        model.train()
        meter = []
        for image, heatmap in tqdm(args.train_loader, leave=False):
            optimizer.zero_grad()
            with amp.autocast():
                outputs = model(image.cuda())
                loss = sum(criterion(out, heatmap.cuda()) for out in outputs)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            meter.append(loss.item())
        scaler.update()

        mean = sum(meter) / len(meter)
        if best is None or mean < best:
            best = mean
            torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, args.out)
        print(f"Epoch {epoch}: {mean:.5f}")
