import time

import torch
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from nerf.data import RayLoader
from nerf.render import render_rays
from nerf.model import NeRF


def mse_to_psnr(mse):
    return -10.0 * torch.log10(torch.as_tensor(mse))


def optimise(scene, out, n_rays=1024, micro=4, iters=200_000, lr=5e-4):
    coarse, fine = NeRF().cuda(), NeRF().cuda()
    grad_vars = [*coarse.parameters(), *fine.parameters()]
    optimizer = torch.optim.Adam(grad_vars, lr=lr, betas=(0.9, 0.999))
    gamma = 0.1 ** (1 / 250_000)
    writer = SummaryWriter(out)
    start = time.time()
    loader = RayLoader(scene, n_rays // micro)
    psnr = 0.0
    for it, rays in enumerate(tqdm(loader, total=iters * micro), 1):
        rgb_c, rgb_f = render_rays(rays.cuda(), coarse, fine, 64, 128)
        target = rays.rgb.cuda()
        img_loss = ((rgb_f - target) ** 2).mean()
        loss = img_loss + ((rgb_c - target) ** 2).mean()
        (loss / micro).backward()
        psnr += mse_to_psnr(img_loss.item()).item() / micro
        if (it + 1) % micro == 0:
            optimizer.step()
            optimizer.zero_grad()
            for group in optimizer.param_groups:
                group["lr"] *= gamma
            if it % 1000 < micro:
                writer.add_scalar("psnr", psnr, it // micro)
            psnr = 0.0
        if it >= iters * micro:
            break
    print(f"done in {time.time() - start:.0f}s")
    torch.save({"coarse": coarse.state_dict(), "fine": fine.state_dict()}, f"{out}/final.tar")
