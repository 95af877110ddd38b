import torch
from torch import nn

from highres import FloodNet, tiles_loader

PART = 2


def main():
    model = FloodNet().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
    criterion = nn.BCEWithLogitsLoss()
    scaler = torch.cuda.amp.GradScaler()

    for epoch in range(80):
        model.train()
        for number, (tiles, water) in enumerate(tiles_loader("train", batch_size=10)):
            whole = tiles.size(0)
            optimizer.zero_grad(set_to_none=True)
            batch_loss = 0.0
            for part, target in zip(tiles.split(PART), water.split(PART)):
                part, target = part.cuda(), target.cuda()
                with torch.cuda.amp.autocast():
                    loss = criterion(model(part).squeeze(1), target.float()) * (part.size(0) / whole)
                scaler.scale(loss).backward()
                batch_loss += loss.item()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            if number % 10 == 0:
                print(epoch, number, batch_loss)


main()
