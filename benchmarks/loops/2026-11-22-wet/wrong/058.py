import torch
import torch.nn.functional as F

from vqgan import Codebook, Decoder, Encoder, image_batches


def train(cfg):
    encoder, decoder = Encoder(cfg.width).cuda(), Decoder(cfg.width).cuda()
    codebook = Codebook(cfg.codes, cfg.width).cuda()
    opt_ae = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=cfg.lr)
    opt_codes = torch.optim.Adam(codebook.parameters(), lr=cfg.lr * 10)
    scaler = torch.amp.GradScaler("cuda")
    batches = image_batches(cfg)

    it = 0
    while it < cfg.iterations:
        images = next(batches).cuda()
        with torch.amp.autocast("cuda", dtype=torch.float16):
            z = encoder(images)
            quantised, commitment, codes = codebook(z)
            reconstruction = decoder(quantised)
            loss = F.l1_loss(reconstruction, images) + commitment + cfg.beta * codes
        opt_ae.zero_grad()
        opt_codes.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt_ae)
        opt_codes.step()
        scaler.update()
        if it % 250 == 0:
            print(it, loss.item())
        it += 1
