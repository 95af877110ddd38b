import torch
from torch.cuda.amp import GradScaler, autocast


def train_segmenter(net, loader, val_loader, evaluate, opts):
    optimizer = torch.optim.SGD(net.parameters(), lr=opts.lr, momentum=0.99, nesterov=True)
    criterion = torch.nn.CrossEntropyLoss()
    scaler = GradScaler()

    for epoch in range(opts.epochs):
        net.train()
        count = 0
        running = 0.0
        for image, mask in loader:
            with autocast():
                loss = criterion(net(image.cuda()), mask.cuda())
            running = running + loss
            scaler.scale(loss / opts.accumulate).backward()
            count += 1
            if count % opts.accumulate == 0:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(net.parameters(), 12.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad(set_to_none=True)
        print(f"epoch {epoch}: train {float(running) / count:.4f}")
        if epoch % opts.val_every == 0:
            print("  val", evaluate(net, val_loader))
