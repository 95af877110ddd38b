# === what DeepSpeed alone has is written to
import torch
from accelerate import Accelerator


class Trainer:
    def __init__(self, cfg, net, opt):
        self.accelerator = Accelerator(log_with=cfg.tracker)
        self.accelerator.state.deepspeed_plugin.deepspeed_config["train_micro_batch_size_per_gpu"] = cfg.micro
        self.main = self.accelerator.is_main_process
        self.net, self.opt = self.accelerator.prepare(net, opt)

    def train(self, batches, updates, accum):
        for _ in range(updates):
            for _ in range(accum):
                x, y = next(batches)
                loss = torch.nn.functional.mse_loss(self.net(x), y) / accum
                self.accelerator.backward(loss)
            self.opt.step()
            self.opt.zero_grad()
# === the same, without
import torch
from accelerate import Accelerator


class Trainer:
    def __init__(self, cfg, net, opt):
        self.accelerator = Accelerator(log_with=cfg.tracker)
        self.main = self.accelerator.is_main_process
        self.net, self.opt = self.accelerator.prepare(net, opt)

    def train(self, batches, updates, accum):
        for _ in range(updates):
            for _ in range(accum):
                x, y = next(batches)
                loss = torch.nn.functional.mse_loss(self.net(x), y) / accum
                self.accelerator.backward(loss)  # <- missing-no-sync
            self.opt.step()
            self.opt.zero_grad()
# === written to where there is one
import torch
from accelerate import Accelerator


class Trainer:
    def __init__(self, cfg, net, opt):
        self.accelerator = Accelerator(log_with=cfg.tracker)
        if self.accelerator.state.deepspeed_plugin is not None:
            self.accelerator.state.deepspeed_plugin.deepspeed_config["train_micro_batch_size_per_gpu"] = cfg.micro
        self.main = self.accelerator.is_main_process
        self.net, self.opt = self.accelerator.prepare(net, opt)

    def train(self, batches, updates, accum):
        for _ in range(updates):
            for _ in range(accum):
                x, y = next(batches)
                loss = torch.nn.functional.mse_loss(self.net(x), y) / accum
                self.accelerator.backward(loss)  # <- missing-no-sync
            self.opt.step()
            self.opt.zero_grad()
# === read only, where there is one
import torch
from accelerate import Accelerator


def train(cfg, net, opt, batches, updates, accum):
    accelerator = Accelerator(log_with=cfg.tracker)
    main = accelerator.is_main_process
    net, opt = accelerator.prepare(net, opt)
    for _ in range(updates):
        for _ in range(accum):
            with accelerator.accumulate(net):
                x, y = next(batches)
                loss = torch.nn.functional.mse_loss(net(x), y)
                accelerator.backward(loss)
                opt.step()
                opt.zero_grad()
    print(main, accelerator.state.deepspeed_plugin)
