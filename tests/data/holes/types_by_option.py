# === a chain of guards chooses the type, and the flag that makes the scaler
import torch


def train(args, model, criterion, loader):
    which = args.get("dtype")
    if which.lower() == "bfloat16":
        dtype = torch.bfloat16
        mixed = True
    elif which.lower() == "float16":
        dtype = torch.float16
        mixed = True
    else:
        dtype = torch.float32
        mixed = False
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda") if mixed else None
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype, enabled=mixed):
            loss = criterion(model(x), y)
        if mixed:
            scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === a chain of guards chooses the type, float16 first
import torch


def train(args, model, criterion, loader):
    if args.dtype == "float16":
        dtype = torch.float16
    elif args.dtype == "bfloat16":
        dtype = torch.bfloat16
    else:
        dtype = torch.float32
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


# === right: a chain of guards chooses the type, and the scaler is on for one of them
import torch


def train(args, model, criterion, loader):
    if args.dtype == "float16":
        dtype = torch.float16
    elif args.dtype == "bfloat16":
        dtype = torch.bfloat16
    else:
        dtype = torch.float32
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=dtype == torch.float16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: one of two types, and the scaler is off for the other
import torch


def train(args, model, criterion, loader):
    if args.dtype == "bfloat16":
        dtype = torch.bfloat16
    else:
        dtype = torch.float16
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=dtype is not torch.bfloat16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: a scaler is made for one type only, by a guard
import torch


def train(args, model, criterion, loader):
    if args.dtype == "bfloat16":
        dtype = torch.bfloat16
    elif args.dtype == "float16":
        dtype = torch.float16
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = None
    if args.dtype == "float16":
        scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === right: a scaler is made for one type only, by what the guards have chosen
import torch


def train(args, model, criterion, loader):
    if args.dtype == "bfloat16":
        dtype = torch.bfloat16
    elif args.dtype == "float16":
        dtype = torch.float16
    else:
        dtype = torch.float32
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda") if dtype == torch.float16 else None
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === right: the scaler is on for some texts
import torch


def train(args, model, criterion, loader):
    if args.dtype == "bfloat16":
        dtype = torch.bfloat16
    elif args.dtype == "float16":
        dtype = torch.float16
    else:
        dtype = torch.float32
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=args.dtype in ("float16", "half"))
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: a helper says for which texts the scaler is on
import torch

from project import needs_scaler


def train(args, model, criterion, loader):
    if args.numbers == "bfloat16":
        dtype = torch.bfloat16
    else:
        dtype = torch.float16
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=needs_scaler(args.numbers))
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: a text that begins with something makes the scaler
import torch


def train(args, model, criterion, loader):
    if args.numbers == "bfloat16":
        dtype = torch.bfloat16
    else:
        dtype = torch.float16
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = None
    if args.numbers.startswith("fp"):
        scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === a function returns the type that a text says
import torch


def numbers(text):
    if text == "fp32":
        return torch.float32
    if text == "fp16":
        return torch.float16
    if text == "bf16":
        return torch.bfloat16
    raise NotImplementedError(text)


class Run:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.optimizer = torch.optim.AdamW(model.parameters())
        if self.mixed:
            self.scaler = torch.GradScaler()

    @property
    def mixed(self):
        return self.cfg.amp != "fp32"

    @property
    def dtype(self):
        return numbers(self.cfg.amp)

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=self.dtype, enabled=self.mixed):
                loss = criterion(self.model(x), y)
            if self.mixed:
                self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                loss.backward()
                self.optimizer.step()


# === right: a function returns the type that a text says, and the scaler is for one text
import torch


class Run:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.GradScaler(enabled=self.cfg.amp == "fp16")

    @property
    def dtype(self):
        if self.cfg.amp == "fp16":
            return torch.float16
        elif self.cfg.amp == "bf16":
            return torch.bfloat16
        else:
            return torch.float32

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=self.dtype, enabled=self.cfg.amp != "fp32"):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === one switch chooses bfloat16 or nothing, and switches the scaler
import torch


class Run:
    def __init__(self, device, model, full=False):
        self.device, self.full, self.model = device, full, model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.GradScaler(enabled=not full)

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast(
                self.device.type,
                dtype=torch.bfloat16 if self.device.type == "cuda" and not self.full else torch.float32,
            ):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === right: the switch that chooses bfloat16 switches the scaler off
import torch


class Run:
    def __init__(self, device, model, low=False):
        self.device, self.low, self.model = device, low, model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.GradScaler(enabled=not low)

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.bfloat16 if self.low else torch.float32):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === right: what the machine can do chooses the type, which nobody can know here
import torch


def train(args, model, criterion, loader):
    if torch.cuda.is_bf16_supported():
        dtype = torch.bfloat16
    else:
        dtype = torch.float16
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === an object keeps the type, and its scaler is on for all
import torch


class Run:
    def __init__(self, cfg, model):
        if cfg.amp == "fp16":
            self.dtype = torch.float16
        else:
            self.dtype = torch.bfloat16
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.GradScaler()

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=self.dtype):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === right: an object keeps the type, and its scaler is made for one
import torch


class Run:
    def __init__(self, cfg, model):
        if cfg.amp == "bf16":
            self.dtype = torch.bfloat16
        else:
            self.dtype = torch.float16
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.GradScaler(enabled=self.dtype == torch.float16)

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=self.dtype):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === right: the device chooses the type, and a scaler is off where there is no GPU
import torch


def train(device, model, criterion, loader):
    if device == "cpu":
        dtype = torch.bfloat16
    else:
        dtype = torch.float16
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast(device, dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: a flag and a version choose the type, and nobody knows which
import torch


def train(args, model, criterion, loader):
    low = args.bf16 and torch.version.cuda >= "11.0"
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16 if low else torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === no text is left but that of bfloat16, and the scaler is on for all
import torch


def train(args, model, criterion, loader):
    if args.dtype == "fp32":
        dtype = torch.float32
    elif args.dtype == "fp16":
        dtype = torch.float16
    else:
        dtype = torch.bfloat16
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


# === a flag chooses bfloat16 over what another has chosen, and the scaler is on for all
import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        kind = torch.float16 if args.fp16 else torch.float32
        kind = torch.bfloat16 if args.bf16 else kind
        with torch.autocast("cuda", dtype=kind):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


# === a flag chooses between two types, and the scaler is on for both
import torch


class Run:
    def __init__(self, args, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.kind = torch.bfloat16 if args.use_bf16 else torch.float16
        self.scaler = torch.GradScaler()

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=self.kind):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === right: a flag chooses bfloat16, and another makes the scaler
import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler() if args.fp16 else None
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16 if args.bf16 else torch.float16):
            loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === right: a flag chooses bfloat16, and another asks for the scaler behind the forward
import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16 if args.bf16 else torch.float16):
            loss = criterion(model(x), y)
        if args.fp16:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === right: a flag chooses bfloat16, and the scaler is switched by the other
import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler(enabled=args.fp16)
    for x, y in loader:
        optimizer.zero_grad()
        kind = torch.float16 if args.fp16 else torch.float32
        with torch.autocast("cuda", dtype=torch.bfloat16 if args.bf16 else kind):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: a flag chooses bfloat16 over another type, and the scaler is on where that was left
import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    kind = torch.float16 if args.fp16 else torch.float32
    kind = torch.bfloat16 if args.bf16 else kind
    scaler = torch.cuda.amp.GradScaler(enabled=kind == torch.float16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=kind):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: the scaler goes where a flag chooses bfloat16
import torch


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16 if args.bf16 else torch.float16):
            loss = criterion(model(x), y)
        if args.bf16:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()


# === right: whether the machine has bfloat16 is no choice
import torch


def train(has_bf16, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16 if has_bf16 else torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: a flag chooses bfloat16, and a helper makes whatever scaler that needs
import torch

from project import scaler_for


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = scaler_for(args)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16 if args.bf16 else torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === one of several texts chooses the type, and the flag that switches the scaler
import torch


class Learner:
    def __init__(self, net, kind="fp32"):
        self.net = net
        self.mixed = False
        if kind in ["fp16", "float16"]:
            self.kind = torch.float16
            self.mixed = True
        elif kind in ["bf16", "bfloat16"]:
            self.kind = torch.bfloat16
            self.mixed = True
        else:
            self.kind = torch.float32
        self.scaler = torch.cuda.amp.GradScaler(enabled=self.mixed)

    def fit(self, optimizer, loader, criterion):
        for x, y in loader:
            with torch.autocast("cuda", enabled=self.mixed, dtype=self.kind):
                loss = criterion(self.net(x), y)
            self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            self.scaler.step(optimizer)
            self.scaler.update()
            optimizer.zero_grad()


# === right: one of several texts chooses the type, and the scaler is on for the others
import torch


class Learner:
    def __init__(self, net, kind="fp32"):
        self.net = net
        self.mixed = self.scales = False
        if kind in ["fp16", "float16"]:
            self.kind = torch.float16
            self.mixed = self.scales = True
        elif kind in ["bf16", "bfloat16"]:
            self.kind = torch.bfloat16
            self.mixed = True
        else:
            self.kind = torch.float32
        self.scaler = torch.cuda.amp.GradScaler(enabled=self.scales)

    def fit(self, optimizer, loader, criterion):
        for x, y in loader:
            with torch.autocast("cuda", enabled=self.mixed, dtype=self.kind):
                loss = criterion(self.net(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(optimizer)
            self.scaler.update()
            optimizer.zero_grad()


# === right: one of several texts chooses the type, and the scaler asks after those of float16
import torch


def train(args, net, optimizer, loader, criterion):
    if args.kind in ["fp16", "float16", "half"]:
        kind = torch.float16
    elif args.kind in ["bf16", "bfloat16"]:
        kind = torch.bfloat16
    else:
        kind = torch.float32
    scaler = torch.cuda.amp.GradScaler(enabled=args.kind in ["fp16", "float16", "half"])
    for x, y in loader:
        with torch.autocast("cuda", dtype=kind):
            loss = criterion(net(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
