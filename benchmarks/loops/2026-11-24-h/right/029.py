import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=32)
parser.add_argument("--lr", type=float, default=5e-5)
parser.add_argument("--latent_dim", type=int, default=6)
parser.add_argument("--n_critic", type=int, default=5, help="number of training steps for discriminator per iter")
parser.add_argument("--clip_value", type=float, default=0.01, help="lower and upper clip value for disc. weights")
opt = parser.parse_args()

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(opt.latent_dim, 24), nn.LeakyReLU(0.2), nn.Linear(24, 2))
discriminator = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
optimizer_G = torch.optim.RMSprop(generator.parameters(), lr=opt.lr)
optimizer_D = torch.optim.RMSprop(discriminator.parameters(), lr=opt.lr)
dataloader = torch.utils.data.DataLoader(torch.randn(384, 2) * 0.2 + 2, batch_size=opt.batch_size, shuffle=True)

batches_done = 0
for epoch in range(opt.n_epochs):
    for i, real in enumerate(dataloader):
        optimizer_D.zero_grad()
        z = torch.randn(real.shape[0], opt.latent_dim)
        fake = generator(z).detach()
        loss_D = -torch.mean(discriminator(real)) + torch.mean(discriminator(fake))
        loss_D.backward()
        optimizer_D.step()

        # clip weights of discriminator
        with torch.no_grad():
            for p in discriminator.parameters():
                p.clamp_(-opt.clip_value, opt.clip_value)

        if i % opt.n_critic == 0:
            optimizer_G.zero_grad()
            loss_G = -torch.mean(discriminator(generator(z)))
            loss_G.backward()
            optimizer_G.step()
            print(f"[{epoch}/{opt.n_epochs}] [{batches_done}] D {loss_D.item():.5f} G {loss_G.item():.5f}")
        batches_done += 1
