import torch

from .data import NameStream
from .model import NameGPT
from .objective import next_token_loss
from .pacing import Pacer


def fit(cfg):
    torch.manual_seed(cfg.seed)
    net = NameGPT(cfg.model)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, betas=(0.9, 0.95))
    stream = NameStream(cfg.model.block, cfg.micro_batch, cfg.seed)
    pacer = Pacer(opt, cfg.warmup, cfg.updates)
    for update in range(cfg.updates):
        running = 0.0
        for _ in range(cfg.grad_accum):
            x, y = stream.next()
            loss = next_token_loss(net(x), y, cfg.grad_accum)
            loss.backward()
            running += loss.item()
            pacer.on_piece(x)
        torch.nn.utils.clip_grad_norm_(net.parameters(), cfg.max_norm)
        opt.step()
        opt.zero_grad(set_to_none=True)
        pacer.on_update()
        print(f"update {update:3d} loss {running:.3f} lr {pacer.lr:.2e} tokens {pacer.tokens}")
    return net
