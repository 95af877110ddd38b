import torch
import torch.nn.functional as F

from nerf import RayDataset, RadianceField, render


def main(steps=200_000, batch=4096):
    field = RadianceField(width=256).cuda()
    rays = torch.utils.data.DataLoader(RayDataset("lego"), batch_size=batch, shuffle=True)
    optimizer = torch.optim.Adam(field.parameters(), lr=5e-4)
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.1 ** (1 / steps))
    source = iter(rays)

    for step in range(steps):
        try:
            origins, directions, colours = next(source)
        except StopIteration:
            source = iter(rays)
            origins, directions, colours = next(source)

        coarse, fine = render(field, origins.cuda(), directions.cuda())
        target = colours.cuda()
        loss = F.mse_loss(coarse, target) + F.mse_loss(fine, target)
        loss.backward()
        optimizer.step()
        decay.step()

        if step % 1000 == 0:
            psnr = -10 * torch.log10(F.mse_loss(fine.detach(), target))
            print(f"{step:06d} loss {loss.item():.5f} psnr {psnr.item():.2f}")


if __name__ == "__main__":
    main()
