# === an attack that is for windows of one only; what is left over without it
import torch
from torch import nn


class AWP:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def attack_backward(self, batch, accelerator):
        adv_loss = self.model(**batch)
        self.optimizer.zero_grad()
        accelerator.backward(adv_loss)


def main(config, model, loader, accelerator):
    optimizer = torch.optim.AdamW(model.parameters())
    n = config["grad_accumulation"]
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    awp_flag = False
    if config["use_awp"]:
        awp = AWP(model, optimizer)
        assert config["grad_accumulation"] == 1, "not with AWP"
    for epoch in range(config["epochs"]):
        if (config["use_awp"]) & (epoch >= config["trigger"]):
            awp_flag = True
        for step, batch in enumerate(loader):
            loss = model(**batch)
            accelerator.backward(loss / n)
            if awp_flag:
                awp.attack_backward(batch, accelerator)
            if (step + 1) % n == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === the same, raised
import torch
from torch import nn


class AWP:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def attack_backward(self, batch, accelerator):
        adv_loss = self.model(**batch)
        self.optimizer.zero_grad()
        accelerator.backward(adv_loss)


def main(config, model, loader, accelerator):
    optimizer = torch.optim.AdamW(model.parameters())
    n = config["grad_accumulation"]
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    awp_flag = False
    if config["use_awp"]:
        awp = AWP(model, optimizer)
        if n != 1:
            raise ValueError("no")
    for epoch in range(config["epochs"]):
        if (config["use_awp"]) & (epoch >= config["trigger"]):
            awp_flag = True
        for step, batch in enumerate(loader):
            loss = model(**batch)
            accelerator.backward(loss / n)
            if awp_flag:
                awp.attack_backward(batch, accelerator)
            if (step + 1) % n == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === the same, for any window
import torch
from torch import nn


class AWP:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def attack_backward(self, batch, accelerator):
        adv_loss = self.model(**batch)
        self.optimizer.zero_grad()  # <- zero-grad-in-accumulation
        accelerator.backward(adv_loss)


def main(config, model, loader, accelerator):
    optimizer = torch.optim.AdamW(model.parameters())
    n = config["grad_accumulation"]
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    awp_flag = False
    if config["use_awp"]:
        awp = AWP(model, optimizer)
    for epoch in range(config["epochs"]):
        if (config["use_awp"]) & (epoch >= config["trigger"]):
            awp_flag = True
        for step, batch in enumerate(loader):
            loss = model(**batch)
            accelerator.backward(loss / n)
            if awp_flag:
                awp.attack_backward(batch, accelerator)
            if (step + 1) % n == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === an option that refuses windows and clips what is scaled
import torch


def main(config, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    n = config["grad_accumulation"]
    scaler = torch.amp.GradScaler() if config["fp16"] else None
    if config["fp16"]:
        assert config["grad_accumulation"] == 1, "no"
    for step, batch in enumerate(loader):
        loss = model(**batch)
        if config["fp16"]:
            scaler.scale(loss / n).backward()
        else:
            loss.backward()  # <- unscaled-accumulation-loss
        if (step + 1) % n == 0:
            if config["fp16"]:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            optimizer.zero_grad()
# === an attack for windows of one only, and nothing left over
import torch
from torch import nn


class AWP:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def attack_backward(self, batch, accelerator):
        adv_loss = self.model(**batch)
        self.optimizer.zero_grad()
        accelerator.backward(adv_loss)


def main(config, model, loader, accelerator):
    optimizer = torch.optim.AdamW(model.parameters())
    n = config["grad_accumulation"]
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    awp_flag = False
    if config["use_awp"]:
        awp = AWP(model, optimizer)
        assert config["grad_accumulation"] == 1, "not with AWP"
    for epoch in range(config["epochs"]):
        if (config["use_awp"]) & (epoch >= config["trigger"]):
            awp_flag = True
        for step, batch in enumerate(loader):
            loss = model(**batch)
            accelerator.backward(loss / n)
            if awp_flag:
                awp.attack_backward(batch, accelerator)
            if (step + 1) % n == 0 or step + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === windows of one only, whatever is on
import torch
from torch import nn


class AWP:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def attack_backward(self, batch, accelerator):
        adv_loss = self.model(**batch)
        self.optimizer.zero_grad()
        accelerator.backward(adv_loss)


def main(config, model, loader, accelerator):
    optimizer = torch.optim.AdamW(model.parameters())
    n = config["grad_accumulation"]
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    awp_flag = False
    assert config["grad_accumulation"] == 1, "no windows"
    awp = AWP(model, optimizer)
    for epoch in range(config["epochs"]):
        if (config["use_awp"]) & (epoch >= config["trigger"]):
            awp_flag = True
        for step, batch in enumerate(loader):
            loss = model(**batch)
            accelerator.backward(loss / n)
            if awp_flag:
                awp.attack_backward(batch, accelerator)
            if (step + 1) % n == 0:
                optimizer.step()
                optimizer.zero_grad()
