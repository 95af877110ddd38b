import argparse
import math

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from transformers import AutoModelForQuestionAnswering, get_scheduler

from qa.data import squad_loader


class QATraining:
    def __init__(self, args):
        set_seed(args.seed)
        self.args = args
        self.accelerator = Accelerator(gradient_accumulation_steps=args.accum, mixed_precision="fp16")
        model = AutoModelForQuestionAnswering.from_pretrained(args.model)
        loader = squad_loader(args)
        optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
        updates = math.ceil(len(loader) / args.accum) * args.epochs
        scheduler = get_scheduler("linear", optimizer, num_warmup_steps=updates // 10, num_training_steps=updates)
        self.model, self.optimizer, self.loader, self.scheduler = self.accelerator.prepare(
            model, optimizer, loader, scheduler
        )
        self.updates = 0

    def micro_step(self, batch):
        with self.accelerator.accumulate(self.model):
            loss = self.model(**batch).loss
            self.accelerator.backward(loss)
            if self.accelerator.sync_gradients:
                self.accelerator.clip_grad_norm_(self.model.parameters(), self.args.max_norm)
            self.optimizer.step()
            self.scheduler.step()
            self.optimizer.zero_grad()
        return loss.detach()

    def run(self):
        for epoch in range(self.args.epochs):
            self.model.train()
            window = []
            for batch in self.loader:
                window.append(self.micro_step(batch))
                if self.accelerator.sync_gradients:
                    self.updates += 1
                    if self.updates % 50 == 0:
                        self.accelerator.print(self.updates, torch.stack(window).mean().item())
                    window = []
            self.accelerator.save_state(f"{self.args.out}/epoch{epoch}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="deepset/roberta-base-squad2")
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=3e-5)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--max-norm", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="out")
    QATraining(parser.parse_args()).run()
