# === the schedule moves beside every step of an engine that accumulates
import deepspeed
import torch

CONFIG = {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 16}


def train(model, loader, updates):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-4, total_steps=updates)
    engine, optimizer, _, _ = deepspeed.initialize(model=model, optimizer=optimizer, config=CONFIG)
    for batch in loader:
        loss = engine(**batch).loss
        engine.backward(loss)
        engine.step()
        scheduler.step()  # <- scheduler-per-micro-batch
# === the loss is divided by what the engine divides by
import deepspeed


def config(accum):
    return {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": accum}


def train(model, loader):
    engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config(8))
    for batch in loader:
        loss = engine(**batch).loss
        loss = loss / engine.gradient_accumulation_steps()
        engine.backward(loss)  # <- accumulation-divisor-mismatch
        engine.step()
# === nobody sees what the engine was told
def train(model_engine, loader):
    for batch in loader:
        loss = model_engine(**batch).loss / model_engine.gradient_accumulation_steps()
        model_engine.backward(loss)  # <- accumulation-divisor-mismatch
        model_engine.step()
# === right: the schedule moves at the boundary
import deepspeed
import torch

CONFIG = {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 16}


def train(model, loader, updates):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-4, total_steps=updates)
    engine, optimizer, _, _ = deepspeed.initialize(model=model, optimizer=optimizer, config=CONFIG)
    for batch in loader:
        loss = engine(**batch).loss
        engine.backward(loss)
        if engine.is_gradient_accumulation_boundary():
            scheduler.step()
        engine.step()
# === right: the engine does not accumulate
import deepspeed
import torch

CONFIG = {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 1}


def train(model, loader, updates):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-4, total_steps=updates)
    engine, optimizer, _, _ = deepspeed.initialize(model=model, optimizer=optimizer, config=CONFIG)
    for batch in loader:
        loss = engine(**batch).loss
        engine.backward(loss)
        engine.step()
        scheduler.step()
# === right: the engine has the schedule
import deepspeed
import torch

CONFIG = {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 16}


def train(model, loader, updates):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-4, total_steps=updates)
    engine, _, _, _ = deepspeed.initialize(
        model=model, optimizer=optimizer, lr_scheduler=scheduler, config=CONFIG
    )
    for batch in loader:
        loss = engine(**batch).loss
        engine.backward(loss)
        engine.step()
# === right: the loss is divided for the log
import deepspeed


def train(model, loader, log):
    engine, *_ = deepspeed.initialize(
        model=model,
        model_parameters=model.parameters(),
        config={"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 8},
    )
    total = 0.0
    for batch in loader:
        loss = engine(**batch).loss
        engine.backward(loss)
        engine.step()
        total += loss.item() / engine.gradient_accumulation_steps()
        if engine.is_gradient_accumulation_boundary():
            log(total)
            total = 0.0
# === right: where the engine divides, the loop's own window is 1
import deepspeed


def train(net, loader, optimizer, scaler, args, deep):
    if deep:
        net, optimizer, _, _ = deepspeed.initialize(model=net, optimizer=optimizer, config=args.deep)
    accum = 1 if deep else args.accum_steps
    for i, (x, y) in enumerate(loader):
        loss = net(x, y).mean() / accum
        if deep:
            net.backward(loss)
        else:
            scaler.scale(loss).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            if deep:
                net.step()
            else:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
# === where the engine divides, the loop divides by the window, too
import deepspeed


def train(net, loader, optimizer, scaler, args, deep):
    if deep:
        net, optimizer, _, _ = deepspeed.initialize(model=net, optimizer=optimizer, config=args.deep)
    accum = args.accum_steps
    for i, (x, y) in enumerate(loader):
        loss = net(x, y).mean() / accum
        if deep:
            net.backward(loss)  # <- accumulation-divisor-mismatch
            net.step()
        else:
            scaler.scale(loss).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
