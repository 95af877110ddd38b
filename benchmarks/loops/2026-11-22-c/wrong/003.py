import torch
from torch import nn
from torch.utils.data import DataLoader

from toys.sprites import Sprites
from toys.nets import ConvVAE

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(Sprites("train"), batch_size=128, shuffle=True, drop_last=True)
vae = ConvVAE(latent=16).to(device)
optim = torch.optim.Adamax(vae.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(optim, gamma=0.97)

for epoch in range(40):
    beta = min(1.0, epoch / 10)
    running = 0.0
    for image in loader:
        image = image.to(device)
        recon, mu, logvar = vae(image)
        rec = nn.functional.binary_cross_entropy_with_logits(recon, image, reduction="sum") / image.size(0)
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / image.size(0)
        loss = rec + beta * kld
        optim.zero_grad()
        nn.utils.clip_grad_norm_(vae.parameters(), max_norm=200.0)
        loss.backward()
        optim.step()
        running += loss.item()
    sched.step()
    print(f"epoch {epoch} elbo {-running / len(loader):.2f} lr {sched.get_last_lr()[0]:.2e}")
    if epoch % 10 == 9:
        torch.save(vae.state_dict(), f"vae_{epoch}.pt")
