import torch

from matching import PairLoader, SiameseNet

UPDATES = 4000


def main(device="cuda"):
    net = SiameseNet(dim=256).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.2, total_steps=UPDATES)
    scaler = torch.amp.GradScaler(device)
    triplet = torch.nn.TripletMarginLoss(margin=0.3)

    loader = PairLoader("train")
    it = iter(loader)
    done = 0
    net.train()
    optimizer.zero_grad()
    micro = 0
    while done < UPDATES:
        item = next(it, None)
        if item is None:
            it = iter(loader)
            continue
        anchor, positive, negative = (t.to(device) for t in item)
        with torch.autocast(device, dtype=torch.float16):
            loss = triplet(net(anchor), net(positive), net(negative))
        scaler.scale(loss / 2).backward()
        micro += 1
        if micro % 2 == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            done += 1
            if done % 200 == 0:
                print(done, loss.item())
        scheduler.step()


main()
