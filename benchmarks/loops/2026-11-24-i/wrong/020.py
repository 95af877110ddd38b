import torch
from torch import nn

torch.manual_seed(43)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
vae_enc = nn.Linear(20, 8).to(device)
vae_dec = nn.Linear(4, 20).to(device)
opt = torch.optim.Adam([*vae_enc.parameters(), *vae_dec.parameters()], lr=1e-3)

for batch in torch.rand(20, 32, 20).to(device):
    opt.zero_grad()
    with torch.autocast(device.type, dtype=torch.bfloat16):
        mu, logvar = vae_enc(batch).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        rec = nn.functional.mse_loss(vae_dec(z), batch)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
        elbo = rec + 0.01 * kl
        elbo.backward()
    opt.step()
print(elbo.item())
