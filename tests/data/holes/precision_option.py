# === an option chooses bfloat16, and the scaler is on for all it may say
import torch


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    mixed = args.mixed_precision is not None
    scaler = torch.amp.GradScaler("cuda", enabled=mixed)
    dtype = {"float16": torch.float16, "bfloat16": torch.bfloat16, None: torch.float32}[args.mixed_precision]
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=mixed, dtype=dtype):
            loss = model(x).sub(y).pow(2).mean()
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()

# === the scaler is off for one text only
import torch

TYPES = {"no": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=args.precision != "no")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=args.precision != "no", dtype=TYPES[args.precision]):
            loss = model(x).sub(y).pow(2).mean()
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()

# === one of two types, and the scaler is on for both
import torch


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=args.dtype != "float32")
    dtype = torch.bfloat16 if args.dtype == "bfloat16" else torch.float16
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=args.dtype != "float32", dtype=dtype):
            loss = model(x).sub(y).pow(2).mean()
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()

# === right: the scaler is on for float16 only
import torch


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    mixed = args.mixed_precision is not None
    scaler = torch.amp.GradScaler("cuda", enabled=args.mixed_precision == "float16")
    dtype = {"float16": torch.float16, "bfloat16": torch.bfloat16, None: torch.float32}[args.mixed_precision]
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=mixed, dtype=dtype):
            loss = model(x).sub(y).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

# === right: the scaler is off for bfloat16, one way or another
import torch


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaled = args.dtype is not None and args.dtype != "bfloat16"
    scaler = torch.amp.GradScaler("cuda", enabled=scaled)
    dtype = torch.float16 if args.dtype != "bfloat16" else torch.bfloat16
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=args.dtype is not None, dtype=dtype):
            loss = model(x).sub(y).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

# === right: what asks after the option cannot be computed
import torch

TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=args.precision in args.scaled)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=TYPES[args.precision]):
            loss = model(x).sub(y).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
