# === what a Trainer of transformers asks, counts and logs does nothing to gradients
import torch
from transformers import Trainer


class Tuned(Trainer):
    def train(self):
        self.model.train()
        for i, batch in enumerate(self.loader):
            loss = self.model(**batch).loss / self.accum
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # <- clip-per-micro-batch
            self._total_flos += self.floating_point_ops(batch)
            self.store_flos()
            if self.is_world_process_zero():
                self.log({"loss": loss.item()})
            if (i + 1) % self.accum == 0 or i + 1 == len(self.loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === the same of another name of it
import torch
from transformers.trainer_seq2seq import Seq2SeqTrainer


class Tuned(Seq2SeqTrainer):
    def train(self):
        self.model.train()
        for i, batch in enumerate(self.loader):
            loss = self.model(**batch).loss / self.accum
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # <- clip-per-micro-batch
            self._total_flos += self.floating_point_ops(batch)
            self.store_flos()
            if self.is_world_process_zero():
                self.log({"loss": loss.item()})
            if (i + 1) % self.accum == 0 or i + 1 == len(self.loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === right: clipped once for each update
import torch
from transformers import Trainer


class Tuned(Trainer):
    def train(self):
        self.model.train()
        for i, batch in enumerate(self.loader):
            loss = self.model(**batch).loss / self.accum
            loss.backward()
            self._total_flos += self.floating_point_ops(batch)
            self.store_flos()
            if self.is_world_process_zero():
                self.log({"loss": loss.item()})
            if (i + 1) % self.accum == 0 or i + 1 == len(self.loader):
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
