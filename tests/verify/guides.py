"""What guides on stable training show as wrong and as right, written anew: the same statements in the same order.

Fragments stand as they do on a page: without the lines that make model, optimizer and loader, some of them without
a loop. `IMPORTS` is what a page has above them; a reader pastes them with it and without it.
"""

from __future__ import annotations

IMPORTS = {
    "clip_grad_norm_": "from torch.nn.utils import clip_grad_norm_",
    "GradScaler": "from torch.cuda.amp import GradScaler, autocast",
    "DDP": "from torch.nn.parallel import DistributedDataParallel as DDP",
    "nullcontext": "from contextlib import nullcontext",
    "torch.": "import torch",
}


def with_imports(source: str) -> str:
    """A fragment under the imports that it needs."""
    lines = [line for word, line in IMPORTS.items() if word in source]
    return "\n".join([*lines, "", source.lstrip("\n")]) if lines else source


WRONG = {
    "clipped after the step": (
        "clip-after-step",
        """
loss.backward()
optimizer.step()
clip_grad_norm_(model.parameters(), 1.0)
""",
    ),
    "clipped after the step, in two lines": (
        "clip-after-step",
        """
optimizer.step()
clip_grad_norm_(...)
""",
    ),
    "scaled gradients clipped, in two lines": (
        "clip-scaled-gradients",
        """
scaler.scale(loss).backward()
clip_grad_norm_(...)
""",
    ),
    "clipped before the backward": (
        "clip-before-backward",
        """
optimizer.zero_grad()
clip_grad_norm_(model.parameters(), 1.0)
loss.backward()
optimizer.step()
""",
    ),
    "a window that is not divided": (
        "unscaled-accumulation-loss",
        """
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    loss = criterion(model(batch), target)
    loss.backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
""",
    ),
    "gradients divided by hand at each micro-batch": (
        "accumulation-divisor-mismatch",
        """
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    loss = criterion(model(batch), target)
    loss.backward()
    for param in model.parameters():
        if param.grad is not None:
            param.grad /= accumulation_steps
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
""",
    ),
    "a window that is never cleared": (
        "missing-zero-grad",
        """
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    loss = criterion(model(batch), target)
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
""",
    ),
    "never cleared, and the loss is made elsewhere": (
        "missing-zero-grad",
        """
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
""",
    ),
    "cleared at each micro-batch": (
        "zero-grad-in-accumulation",
        """
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    optimizer.zero_grad()
    loss = criterion(model(batch), target)
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
""",
    ),
    "clipped at each micro-batch": (
        "clip-per-micro-batch",
        """
for i, (data, target) in enumerate(train_loader):
    (loss / accumulation_steps).backward()
    clip_grad_norm_(model.parameters(), max_norm=1.0)
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
""",
    ),
    "scaled gradients clipped": (
        "clip-scaled-gradients",
        """
scaler.scale(loss).backward()
clip_grad_norm_(model.parameters(), max_norm=1.0)
scaler.step(optimizer)
scaler.update()
""",
    ),
    "unscaled twice": (
        "double-unscale",
        """
scaler.scale(loss).backward()
scaler.unscale_(optimizer)
clip_grad_norm_(model.parameters(), max_norm=1.0)
scaler.unscale_(optimizer)
scaler.step(optimizer)
""",
    ),
    "a step past the scaler": (
        "step-bypasses-scaler",
        """
scaler.scale(loss).backward()
scaler.unscale_(optimizer)
clip_grad_norm_(model.parameters(), max_norm=1.0)
optimizer.step()
scaler.update()
""",
    ),
    "ranks brought together at each micro-batch": (
        "missing-no-sync",
        """
model = DDP(model)
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
""",
    ),
}

COMPLETE = {
    "clipping": """
import torch
import torch.nn as nn

model = TransformerModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

for epoch in range(num_epochs):
    for batch in train_loader:
        optimizer.zero_grad()
        output = model(batch["input"])
        loss = criterion(output, batch["target"])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
""",
    "accumulation": """
import torch
import torch.nn as nn

per_step = 64
accumulation_steps = 4
effective = per_step * accumulation_steps
train_loader = DataLoader(dataset, batch_size=per_step)
model = TransformerModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

optimizer.zero_grad()
for epoch in range(num_epochs):
    for i, (data, target) in enumerate(train_loader):
        output = model(data)
        loss = criterion(output, target)
        (loss / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    if len(train_loader) % accumulation_steps != 0:
        optimizer.step()
        optimizer.zero_grad()
""",
}

WHOLE = {
    "clipped in a loop": """
for batch in dataloader:
    optimizer.zero_grad()
    loss = model(batch)
    loss.backward()
    clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
""",
    "unscaled, then clipped": """
scaler = GradScaler()
for batch in dataloader:
    optimizer.zero_grad()
    with autocast():
        outputs = model(batch)
        loss = criterion(outputs, targets)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    clip_grad_norm_(model.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
""",
    "a step of a trainer that counts": """
class AccumulatingTrainer:
    def __init__(self, model, optimizer, accumulation_steps=4):
        self.model = model
        self.optimizer = optimizer
        self.accumulation_steps = accumulation_steps
        self.current_step = 0

    def training_step(self, batch):
        outputs = self.model(batch["inputs"])
        loss = F.cross_entropy(outputs, batch["targets"])
        scaled_loss = loss / self.accumulation_steps
        scaled_loss.backward()
        self.current_step += 1
        if self.current_step % self.accumulation_steps == 0:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()
""",
    "a step of a trainer with a scaler": """
class MixedTrainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.scaler = GradScaler()

    def training_step(self, batch):
        with autocast():
            outputs = self.model(batch["inputs"])
            loss = F.cross_entropy(outputs, batch["targets"])
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return loss.item()
""",
    "a window, divided": """
accumulation_steps = 4
optimizer.zero_grad()
for i, (data, target) in enumerate(train_loader):
    output = model(data)
    loss = criterion(output, target)
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
""",
    "a window, clipped once": """
accumulation_steps = 4
optimizer.zero_grad()
for i, (data, target) in enumerate(train_loader):
    output = model(data)
    loss = criterion(output, target)
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()
""",
    "a window and its schedule": """
accumulation_steps = 4
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=num_steps)
optimizer.zero_grad()
for i, (data, target) in enumerate(train_loader):
    output = model(data)
    loss = criterion(output, target)
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
""",
    "a window in mixed precision": """
scaler = GradScaler()
accumulation_steps = 4
optimizer.zero_grad()
for i, batch in enumerate(train_loader):
    with autocast():
        output = model(batch["input"])
        loss = criterion(output, batch["target"])
        scaled_loss = loss / accumulation_steps
    scaler.scale(scaled_loss).backward()
    if (i + 1) % accumulation_steps == 0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
""",
    "clipped under DDP": """
model = TransformerModel().cuda()
model = DDP(model, device_ids=[local_rank])
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for batch in train_loader:
    optimizer.zero_grad()
    output = model(batch)
    loss = criterion(output, target)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
""",
    "a window under DDP": """
model = TransformerModel().cuda()
model = DDP(model, device_ids=[local_rank])
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
accumulation_steps = 4
optimizer.zero_grad()
for i, batch in enumerate(train_loader):
    accumulating = (i + 1) % accumulation_steps != 0
    with model.no_sync() if accumulating else nullcontext():
        output = model(batch)
        loss = criterion(output, target)
        (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()
""",
    "everything together": """
model = DDP(model, device_ids=[local_rank])
scaler = GradScaler()
accumulation_steps = 4
optimizer.zero_grad()
for i, batch in enumerate(train_loader):
    accumulating = (i + 1) % accumulation_steps != 0
    with model.no_sync() if accumulating else nullcontext():
        with autocast():
            output = model(batch)
            loss = criterion(output, target)
            scaled_loss = loss / accumulation_steps
        scaler.scale(scaled_loss).backward()
    if (i + 1) % accumulation_steps == 0:
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
""",
    "norms looked at, then clipped": """
for step, batch in enumerate(train_loader):
    optimizer.zero_grad()
    loss = criterion(model(batch), target)
    loss.backward()
    if step % 100 == 0:
        total_norm = 0.0
        for p in model.parameters():
            if p.grad is not None:
                total_norm += p.grad.data.norm(2).item() ** 2
        total_norm = total_norm**0.5
        print(f"step {step}: loss {loss.item():.4f}, norm {total_norm:.4f}")
    clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
""",
    "a controller that clips": """
class Controller:
    def __init__(self, max_norm=1.0, cooldown=100):
        self.max_norm = max_norm
        self.clips = 0
        self.cooldown = cooldown
        self.last = 0

    def clip_if_needed(self, model, step):
        total_norm = clip_grad_norm_(model.parameters(), self.max_norm)
        if total_norm > self.max_norm:
            self.clips += 1
            if step - self.last > self.cooldown:
                if self.clips > 10:
                    print(f"{self.clips} clips in the last {self.cooldown} steps")
                self.clips = 0
                self.last = step
        return total_norm


controller = Controller(max_norm=0.5)
for step, batch in enumerate(dataloader):
    outputs = model(batch)
    loss = compute_loss(outputs, batch)
    optimizer.zero_grad()
    loss.backward()
    total_norm = sum(p.grad.norm() for p in model.parameters() if p.grad is not None)
    if total_norm > 100:
        print(f"explosion at step {step}: {total_norm:.2f}")
    controller.clip_if_needed(model, step)
    optimizer.step()
""",
}

FRAGMENTS = {
    "one update": """
optimizer.zero_grad()
output = model(input)
loss = criterion(output, target)
loss.backward()
torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
optimizer.step()
""",
    "clipped between backward and step": """
loss.backward()
clip_grad_norm_(model.parameters(), 1.0)
optimizer.step()
""",
    "unscaled before it is clipped": """
scaler.scale(loss).backward()
scaler.unscale_(optimizer)
clip_grad_norm_(model.parameters(), max_norm=1.0)
scaler.step(optimizer)
scaler.update()
""",
    "cleared after the window": """
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
""",
    "ranks brought together at the last micro-batch": """
model = DDP(model)
accumulation_steps = 4
for i, batch in enumerate(train_loader):
    accumulating = (i + 1) % accumulation_steps != 0
    with model.no_sync() if accumulating else nullcontext():
        (loss / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()
""",
}
"""Right ones that a page shows without a loop, or without the forward."""
