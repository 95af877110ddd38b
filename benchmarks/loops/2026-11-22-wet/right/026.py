import torch
import torch.nn.functional as F

from data import face_loader
from stylegan import build_networks


def logistic(real, fake):
    return F.softplus(-real).mean() + F.softplus(fake).mean()


def main(cfg):
    G, D = build_networks(cfg.resolution)
    G, D = G.cuda(), D.cuda()
    opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.0, 0.99))
    opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.99))
    scaler_g = torch.cuda.amp.GradScaler()

    for epoch in range(cfg.epochs):
        G.train()
        D.train()
        for real in face_loader:
            real = real.cuda()
            z = torch.randn(len(real), cfg.z_dim, device="cuda")

            with torch.no_grad():
                fake = G(z)
            opt_d.zero_grad(set_to_none=True)
            loss_d = logistic(D(real), D(fake))
            loss_d.backward()
            opt_d.step()

            opt_g.zero_grad(set_to_none=True)
            with torch.cuda.amp.autocast():
                loss_g = F.softplus(-D(G(z))).mean()
            scaler_g.scale(loss_g).backward()
            scaler_g.step(opt_g)
            scaler_g.update()
        print(f"{epoch}: D {loss_d.item():.3f} G {loss_g.item():.3f}")
