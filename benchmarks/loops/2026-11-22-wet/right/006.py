import torch
import torch.nn.functional as F


def run_epoch(args, model, optimizer):
    model.train()
    k = args.accumulation
    whole = len(args.loader) // k * k
    for i, (points, label) in enumerate(args.loader):
        if i >= whole:
            break
        if i % k == 0:
            optimizer.zero_grad()
        logits, transform = model(points.to(args.device))
        eye = torch.eye(transform.size(-1), device=transform.device)
        orthogonal = (eye - transform @ transform.transpose(1, 2)).pow(2).sum((1, 2)).mean()
        loss = F.cross_entropy(logits, label.to(args.device)) + 1e-3 * orthogonal
        (loss / k).backward()
        if i % k == k - 1:
            optimizer.step()
    return loss.item()


def main(args):
    from pointnet import PointNet

    model = PointNet(args.classes).to(args.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.5)
    for epoch in range(args.epochs):
        last = run_epoch(args, model, optimizer)
        scheduler.step()
        print(epoch, last)
