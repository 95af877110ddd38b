import torch
from apex import amp
from apex.optimizers import FusedAdam
from torch import nn

from bert.data import shards
from bert.model import BertForPreTraining
from bert.schedule import PolyWarmUp


class Pretrainer:
    def __init__(self, config, *, lr=6e-3, accumulation=64, opt_level="O2"):
        model = BertForPreTraining(config).cuda()
        optimizer = FusedAdam(model.parameters(), lr=lr, bias_correction=False)
        self.model, self.optimizer = amp.initialize(model, optimizer, opt_level=opt_level, loss_scale="dynamic")
        self.schedule = PolyWarmUp(self.optimizer, warmup=0.2843, total_steps=7038)
        self.accumulation = accumulation
        self.micro = 0

    def loss(self, batch):
        ids, segments, mask, mlm_labels, nsp_labels = (t.cuda(non_blocking=True) for t in batch)
        mlm, nsp = self.model(ids, segments, mask)
        first = nn.functional.cross_entropy(mlm.flatten(0, 1), mlm_labels.flatten(), ignore_index=-1)
        return first + nn.functional.cross_entropy(nsp, nsp_labels)

    def forward_backward(self, batch):
        self.micro += 1
        boundary = self.micro % self.accumulation == 0
        loss = self.loss(batch) / self.accumulation
        with amp.scale_loss(loss, self.optimizer, delay_unscale=not boundary) as scaled:
            scaled.backward()
        return loss.item() * self.accumulation, boundary

    def update(self):
        norm = nn.utils.clip_grad_norm_(amp.master_params(self.optimizer), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad()
        return float(norm)

    def run(self, path, updates):
        self.model.train()
        done = 0
        for batch in shards(path, endless=True):
            value, boundary = self.forward_backward(batch)
            if not boundary:
                continue
            norm = self.update()
            done += 1
            if done % 10 == 0:
                print(f"{done} loss {value:.3f} norm {norm:.3f}")
            if done == updates:
                return
