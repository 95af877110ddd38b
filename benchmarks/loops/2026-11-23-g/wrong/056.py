import torch
from torch import nn

cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")
kind = device.type
torch.manual_seed(0)

netG = nn.Sequential(nn.Linear(8, 32), nn.ReLU(True), nn.Linear(32, 4)).to(device)
netD = nn.Sequential(nn.Linear(4, 32), nn.LeakyReLU(0.2, True), nn.Linear(32, 1)).to(device)
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
scalerG = torch.amp.GradScaler(kind, enabled=cuda)
scalerD = torch.amp.GradScaler(kind, enabled=cuda)
criterion = nn.BCEWithLogitsLoss()


def amp():
    return torch.autocast(kind, dtype=torch.float16, enabled=cuda)


def discriminator_step(real):
    optD.zero_grad(set_to_none=True)
    fake = netG(torch.randn(len(real), 8, device=device)).detach()
    with amp():
        p, q = netD(real), netD(fake)
        lossD = criterion(p, torch.ones_like(p)) + criterion(q, torch.zeros_like(q))
    scalerD.scale(lossD).backward()
    scalerD.step(optD)
    scalerD.update()
    return lossD.item()


def generator_step(n):
    optG.zero_grad(set_to_none=True)
    with amp():
        q = netD(netG(torch.randn(n, 8, device=device)))
        lossG = criterion(q, torch.ones_like(q))
    scalerG.scale(lossG).backward()
    scalerG.step(optG)
    return lossG.item()


for epoch in range(2):
    for real in torch.randn(10, 16, 4, device=device).unbind(0):
        d, g = discriminator_step(real), generator_step(16)
    scalerG.update()
    print(f"[{epoch}/2] Loss_D: {d:.4f} Loss_G: {g:.4f}")
