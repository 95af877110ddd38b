import torch
import torch.nn.functional as F

from cfg import Cfg
from net import ChordRNN
from precision import autocast, grad_scaler
from songs import song


def practice(cfg):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    net = ChordRNN(cfg.notes, cfg.hidden)
    optimizer = torch.optim.RAdam(net.parameters(), lr=cfg.lr)
    scaler = grad_scaler(cfg)
    for rnd in range(cfg.rounds):
        heard = 0.0
        for _ in range(cfg.pieces):
            frames, following = song(cfg.notes, gen)
            net.forget()
            with autocast(cfg):
                logits = net(frames)
            loss = F.binary_cross_entropy_with_logits(logits.float(), following)
            scaler.scale(loss / cfg.pieces).backward()
            heard += loss.item() / cfg.pieces
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        if rnd % 3 == 0:
            print(f"round {rnd}: {heard:.4f}")


if __name__ == "__main__":
    practice(Cfg())
