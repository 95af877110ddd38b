import torch
from torch.amp import GradScaler, autocast

from stereo import DispNet, train_loader

WINDOW = 4
EPOCHS = 60


def main():
    model = DispNet(max_disp=192).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    scaler = GradScaler("cuda", growth_interval=1000)
    batches = len(train_loader)

    for epoch in range(EPOCHS):
        model.train()
        for i, (left, right, disparity) in enumerate(train_loader):
            first = i - i % WINDOW
            size = min(WINDOW, batches - first)
            with autocast("cuda", dtype=torch.float16):
                predicted = model(left.cuda(), right.cuda())
                valid = disparity > 0
                loss = (predicted[valid.cuda()] - disparity[valid].cuda()).abs().mean()
                loss = loss / size
                scaler.scale(loss).backward()
            if i == first + size - 1:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
            if i % 20 == 0:
                print(epoch, i, round(loss.item() * size, 4))
        torch.save(model.state_dict(), "dispnet.pt")


main()
