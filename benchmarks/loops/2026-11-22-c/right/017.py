import contextlib

import torch
from torch.profiler import record_function


def run(model, optimizer, loss_fn, loader, cfg):
    scaler = torch.amp.GradScaler("cuda", enabled=cfg.get("fp16", True))
    debug = torch.autograd.set_detect_anomaly(True) if cfg.get("debug") else contextlib.nullcontext()
    model.train()
    with debug:
        for step, batch in enumerate(loader):
            with record_function("forward"), torch.autocast("cuda", enabled=cfg.get("fp16", True)):
                output = model(batch["input"].cuda())
                loss = loss_fn(output, batch["target"].cuda())
            with record_function("backward"):
                optimizer.zero_grad(set_to_none=True)
                scaler.scale(loss).backward()
                if cfg.get("max_norm"):
                    scaler.unscale_(optimizer)
                    torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["max_norm"])
            with record_function("update"):
                scaler.step(optimizer)
                scaler.update()
            if step % cfg.get("log_every", 100) == 0:
                print(step, f"{loss.item():.4f}")
            if step + 1 >= cfg["steps"]:
                break
    return model
