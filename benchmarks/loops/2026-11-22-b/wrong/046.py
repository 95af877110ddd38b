import torch
import torch.nn.functional as F
from accelerate import Accelerator, DistributedDataParallelKwargs
from torch.utils.data import DataLoader
from tqdm import tqdm

from whisperft.data import AudioTextDataset, collate
from whisperft.model import load_whisper


class WhisperTrainer:
    def __init__(self, cfg):
        kwargs = DistributedDataParallelKwargs(find_unused_parameters=False)
        self.cfg = cfg
        self.accelerator = Accelerator(
            mixed_precision="bf16",
            gradient_accumulation_steps=cfg["train"]["accum"],
            kwargs_handlers=[kwargs],
            log_with="tensorboard",
        )
        self.model = load_whisper(cfg["model"])
        self.model.encoder.requires_grad_(False)
        self.optimizer = torch.optim.AdamW(
            (p for p in self.model.parameters() if p.requires_grad), lr=cfg["train"]["lr"]
        )
        self.loader = DataLoader(
            AudioTextDataset(cfg["data"]), cfg["train"]["batch"], shuffle=True, collate_fn=collate
        )
        self.model, self.optimizer, self.loader = self.accelerator.prepare(
            self.model, self.optimizer, self.loader
        )
        self.step = 0

    def train_step(self, batch):
        with self.accelerator.accumulate(self.model):
            logits = self.model(batch["mel"], batch["dec_in"])
            loss = F.cross_entropy(logits.transpose(1, 2), batch["labels"], ignore_index=-100)
            self.accelerator.backward(loss)
            self.accelerator.clip_grad_norm_(self.model.parameters(), self.cfg["train"]["max_norm"])
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()

    def run(self):
        self.accelerator.init_trackers("whisper")
        for epoch in range(self.cfg["train"]["epochs"]):
            self.model.train()
            bar = tqdm(self.loader, disable=not self.accelerator.is_main_process)
            for batch in bar:
                loss = self.train_step(batch)
                if self.accelerator.sync_gradients:
                    self.step += 1
                    self.accelerator.log({"loss": loss.item()}, step=self.step)
            self.accelerator.wait_for_everyone()
            self.accelerator.save_state(f"{self.cfg['out']}/{epoch}")
        self.accelerator.end_training()
