import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

from asr.data import DynamicBatches
from asr.model import Conformer


class FrameBudget:
    """Batches differ in length, so an update is made once enough frames were seen."""

    def __init__(self, frames):
        self.frames = frames
        self.pending = 0

    def spend(self, n):
        self.pending += n
        full = self.pending >= self.frames
        if full:
            self.pending = 0
        return full


def train(data_dir, updates=50_000, frames_per_update=120_000, device="cuda"):
    model = Conformer(vocab=5000).to(device)
    ctc = nn.CTCLoss(zero_infinity=True, reduction="sum")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-6)
    scheduler = OneCycleLR(optimizer, max_lr=1e-3, total_steps=updates, pct_start=0.1)
    budget = FrameBudget(frames_per_update)
    batches = DynamicBatches(data_dir, max_frames=30_000).forever()

    model.train()
    done = 0
    optimizer.zero_grad()
    for feats, feat_lens, tokens, token_lens in batches:
        log_probs, lens = model(feats.to(device), feat_lens.to(device))
        loss = ctc(log_probs.transpose(0, 1), tokens.to(device), lens, token_lens) / frames_per_update
        full = budget.spend(int(feat_lens.sum()))
        if full:
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        loss.backward()
        if full:
            optimizer.step()
            optimizer.zero_grad()
            done += 1
            if done % 200 == 0:
                print(f"{done} loss/frame {loss.item():.5f}")
        if done == updates:
            break
        scheduler.step()
    torch.save(model.state_dict(), "conformer.pt")
