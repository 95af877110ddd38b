import argparse

import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from animegan.data import PairedFrames
from animegan.nets import Discriminator, Generator


def hinge_d(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def main(args):
    loader = DataLoader(PairedFrames(args.root), batch_size=args.batch, shuffle=True, drop_last=True)
    gen, disc = Generator().cuda(), Discriminator().cuda()
    opt_g = torch.optim.Adam(gen.parameters(), lr=args.lr, betas=(0.5, 0.999))
    opt_d = torch.optim.Adam(disc.parameters(), lr=args.lr, betas=(0.5, 0.999))
    scaler_g, scaler_d = GradScaler(), GradScaler()
    for epoch in range(args.epochs):
        gen.train()
        disc.train()
        for photo, anime in loader:
            photo, anime = photo.cuda(), anime.cuda()
            with autocast():
                fake = gen(photo)
                loss_d = hinge_d(disc(anime), disc(fake.detach()))
            opt_d.zero_grad()
            scaler_d.scale(loss_d).backward()
            scaler_d.step(opt_d)

            with autocast():
                loss_g = -disc(fake).mean() + args.w_content * F.l1_loss(fake, photo)
            opt_g.zero_grad()
            scaler_g.scale(loss_g).backward()
            opt_g.step()
        print(f"{epoch} D {loss_d.item():.3f} G {loss_g.item():.3f}")
        torch.save(gen.state_dict(), f"{args.out}/gen_{epoch}.pt")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--epochs", type=int, default=100)
    ap.add_argument("--w_content", type=float, default=1.5)
    ap.add_argument("--out", default="ckpt")
    main(ap.parse_args())
