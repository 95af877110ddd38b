from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from denoise.data import NoisySpeech
from denoise.model import DCCRN
from denoise.stft import complex_mask, si_snr


class Trainer:
    def __init__(self, config):
        self.config = config
        self.model = DCCRN(config["channels"]).to(config["device"])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=config["lr"])
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=3)
        self.out = Path(config["out"])
        self.out.mkdir(parents=True, exist_ok=True)

    def loader(self, split):
        data = NoisySpeech(self.config["root"], split)
        return DataLoader(data, self.config["batch"], shuffle=split == "train", num_workers=4)

    def forward(self, noisy, clean):
        device = self.config["device"]
        noisy, clean = noisy.to(device), clean.to(device)
        estimate = complex_mask(self.model(noisy), noisy)
        return -si_snr(estimate, clean).mean() + F.l1_loss(estimate, clean)

    def train_epoch(self, loader):
        n = self.config["grad_accum"]
        self.model.train()
        for count, (noisy, clean) in enumerate(loader, start=1):
            (self.forward(noisy, clean) / n).backward()
            if count % n == 0 or count == len(loader):
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5)
                self.optimizer.step()
                self.optimizer.zero_grad()

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        return sum(self.forward(*batch).item() for batch in loader) / len(loader)

    def run(self):
        train, valid = self.loader("train"), self.loader("valid")
        for epoch in range(self.config["epochs"]):
            self.train_epoch(train)
            loss = self.validate(valid)
            self.plateau.step(loss)
            print(f"epoch {epoch} valid {loss:.3f}")
            torch.save(self.model.state_dict(), self.out / f"{epoch:03d}.pt")
