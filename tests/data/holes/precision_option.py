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
# === right: the precision is one member of an enumeration, and the way of another is never gone
from enum import Enum
import torch


class Precision(Enum):
    FP32 = 1
    AMP = 3


def train(model, loader, n, config):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    precision = Precision.FP32
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        if precision == Precision.AMP:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if precision == Precision.AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
# === the precision is the member of an enumeration on whose way scaled gradients are clipped
from enum import Enum
import torch


class Precision(Enum):
    FP32 = 1
    AMP = 3


def train(model, loader, n, config):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    precision = Precision.AMP
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        if precision == Precision.AMP:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        if precision == Precision.AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
# === a setting says which member of an enumeration the precision is
from enum import Enum
import torch


class Precision(Enum):
    FP32 = 1
    AMP = 3


def train(model, loader, n, config):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    precision = config.precision
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        if precision == Precision.AMP:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        if precision == Precision.AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
# === the member of an enumeration is made of what a setting says
from enum import Enum
import torch


class Precision(Enum):
    FP32 = 1
    AMP = 3


def train(model, loader, n, config):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    precision = Precision(config.precision)
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        if precision == Precision.AMP:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        if precision == Precision.AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
# === a caller says which member of an enumeration the precision is, or leaves it as it is
from enum import Enum
import torch


class Precision(Enum):
    FP32 = 1
    AMP = 3


def train(model, loader, n, precision=Precision.FP32):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        if precision == Precision.AMP:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        if precision == Precision.AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
# === right: a setting says which member of an enumeration the precision is, and gradients are unscaled first
from enum import Enum
import torch


class Precision(Enum):
    FP32 = 1
    AMP = 3


def train(model, loader, n, config):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    precision = config.precision
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        if precision == Precision.AMP:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if precision == Precision.AMP:
            scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if precision == Precision.AMP:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        optimizer.zero_grad()
