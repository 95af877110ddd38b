import torch
from torch import nn, optim
from torch.utils.data import DataLoader

from tts.dataset import LJSpeech, pad_collate
from tts.model import FastSpeech2


def infinite(loader):
    while True:
        for batch in loader:
            yield batch


def train(hp):
    loader = infinite(DataLoader(LJSpeech(hp.root), hp.batch_size, shuffle=True, collate_fn=pad_collate))
    model = FastSpeech2(hp).to(hp.device)
    opt = optim.Adam(model.parameters(), lr=hp.d_model**-0.5, betas=(0.9, 0.98), eps=1e-9)
    noam = optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) ** -0.5, (s + 1) * hp.warmup_updates**-1.5))
    l1 = nn.L1Loss()
    micro_step = 0
    update = 0
    while update < hp.max_updates:
        batch = next(loader).to(hp.device)
        mel, duration, pitch, energy = model(batch.text, batch.speaker)
        loss = (
            l1(mel, batch.mel)
            + l1(duration, batch.log_duration)
            + 0.1 * l1(pitch, batch.pitch)
            + 0.1 * l1(energy, batch.energy)
        )
        (loss / hp.acc_step).backward()
        micro_step += 1
        if micro_step % hp.acc_step == 0:
            nn.utils.clip_grad_norm_(model.parameters(), hp.grad_clip)
            opt.step()
            opt.zero_grad()
            update += 1
            if update % hp.save_every == 0:
                torch.save({"model": model.state_dict(), "update": update}, f"{hp.out}/{update}.pt")
        noam.step()
