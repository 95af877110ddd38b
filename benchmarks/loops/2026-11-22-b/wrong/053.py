import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.nn.utils import clip_grad_norm_

from caption.model import Decoder, Encoder
from caption.utils import AverageMeter, adjust_learning_rate, save_checkpoint


def build(cfg):
    encoder = Encoder(cfg.embed_size).cuda()
    decoder = Decoder(cfg.embed_size, cfg.hidden, cfg.vocab).cuda()
    encoder.fine_tune(cfg.fine_tune_encoder)
    enc_opt = torch.optim.Adam([p for p in encoder.parameters() if p.requires_grad], lr=cfg.encoder_lr)
    dec_opt = torch.optim.Adam(decoder.parameters(), lr=cfg.decoder_lr)
    return encoder, decoder, enc_opt, dec_opt


def train(loader, encoder, decoder, enc_opt, dec_opt, scaler, epoch, cfg):
    encoder.train()
    decoder.train()
    losses = AverageMeter()
    for i, (imgs, caps, lens) in enumerate(loader):
        imgs, caps = imgs.cuda(non_blocking=True), caps.cuda(non_blocking=True)
        with autocast():
            feats = encoder(imgs)
            scores, alphas = decoder(feats, caps, lens)
            loss = F.cross_entropy(scores.flatten(0, 1), caps[:, 1:].flatten(), ignore_index=0)
            loss = loss + cfg.alpha_c * ((1.0 - alphas.sum(dim=1)) ** 2).mean()

        dec_opt.zero_grad()
        enc_opt.zero_grad()
        scaler.scale(loss).backward()

        scaler.unscale_(dec_opt)
        clip_grad_norm_(decoder.parameters(), cfg.grad_clip)
        clip_grad_norm_(encoder.parameters(), cfg.grad_clip)

        scaler.step(dec_opt)
        scaler.step(enc_opt)
        scaler.update()
        losses.update(loss.item(), imgs.size(0))
        if i % cfg.print_freq == 0:
            print(f"[{epoch}][{i}/{len(loader)}] loss {losses.avg:.4f}")


def main(cfg, loader):
    encoder, decoder, enc_opt, dec_opt = build(cfg)
    scaler = GradScaler()
    for epoch in range(cfg.epochs):
        if epoch and epoch % 8 == 0:
            adjust_learning_rate(dec_opt, 0.8)
        train(loader, encoder, decoder, enc_opt, dec_opt, scaler, epoch, cfg)
        save_checkpoint(epoch, encoder, decoder, enc_opt, dec_opt, scaler)
