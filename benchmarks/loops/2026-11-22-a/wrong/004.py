import logging

import torch
from torch.cuda.amp import GradScaler, autocast
from torch.nn.utils import clip_grad_norm_

from asr.data import make_loader
from asr.model import Conformer

log = logging.getLogger(__name__)


def train(cfg):
    model = Conformer(cfg["model"]).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], betas=(0.9, 0.98))
    scaler = GradScaler()
    ctc = torch.nn.CTCLoss(blank=0, zero_infinity=True)
    loader = make_loader(cfg["train_manifest"], cfg["batch_frames"])

    step = 0
    for epoch in range(cfg["epochs"]):
        model.train()
        for feats, feat_lens, targets, target_lens in loader:
            optimizer.zero_grad(set_to_none=True)
            feats, targets = feats.cuda(non_blocking=True), targets.cuda(non_blocking=True)
            with autocast():
                log_probs, out_lens = model(feats, feat_lens)
                loss = ctc(log_probs.transpose(0, 1), targets, out_lens, target_lens)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            grad_norm = clip_grad_norm_(model.parameters(), cfg["grad_clip"])
            scaler.update()
            step += 1
            if step % 100 == 0:
                log.info("epoch %d step %d loss %.3f grad %.3f", epoch, step, loss.item(), grad_norm.item())
        torch.save({"model": model.state_dict(), "epoch": epoch}, f"{cfg['out']}/last.pt")
