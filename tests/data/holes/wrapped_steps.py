# === right: a scaler of one's own calls the step that Accelerate has wrapped
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def main(model, optimizer, loader, scheduler, config):
    accelerator = Accelerator(gradient_accumulation_steps=config["accum"])
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    grad_scaler = torch.amp.GradScaler() if config["scaler"] else None
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = F.mse_loss(model(x), y)
            if grad_scaler is not None:
                accelerator.backward(grad_scaler.scale(loss))
            else:
                accelerator.backward(loss)
            if accelerator.sync_gradients:
                if grad_scaler is not None:
                    grad_scaler.unscale_(optimizer)
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            if grad_scaler is not None:
                grad_scaler.step(optimizer)
                grad_scaler.update()
            else:
                optimizer.step()
            scheduler.step()
            optimizer.zero_grad()


# === nothing clears what the wrapped step has used
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def main(model, loader):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    grad_scaler = torch.amp.GradScaler()
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(grad_scaler.scale(F.mse_loss(model(x), y)))
            grad_scaler.step(optimizer)  # <- missing-zero-grad
            grad_scaler.update()


# === right: each parameter has an optimizer of its own, which its hook unscales
import torch


def train(model, loader, optimizers, scaler):
    def hook(parameter):
        scaler.unscale_(optimizers[parameter][0])
        torch.nn.utils.clip_grad_norm_(parameter, 1.0)
        scaler.step(optimizers[parameter][0])
        optimizers[parameter][0].zero_grad()

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(hook)
    for x, y in loader:
        scaler.scale(torch.nn.functional.mse_loss(model(x), y)).backward()
        scaler.update()
