# === accelerate unscales under a flag, clip by torch after it
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(model, loader, optimizer, measure):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(x), y))
        if measure:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        else:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
# === right: accelerate unscales in a helper
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def ready(accelerator):
    if accelerator.sync_gradients:
        accelerator.unscale_gradients()
        return True
    return False


def train(model, loader, optimizer):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(x), y))
        if ready(accelerator):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
# === right: accelerate unscales under the flag that clips
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def train(model, loader, optimizer, clip):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(x), y))
        if clip:
            accelerator.unscale_gradients()
        if clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
# === right: accelerate unscales in a large helper
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def prepare_gradients(accelerator, log, step):
    a = step + 1
    b = a + 1
    c = b + 1
    d = c + 1
    e = d + 1
    f = e + 1
    g = f + 1
    h = g + 1
    i = h + 1
    j = i + 1
    k = j + 1
    log(a, b, c, d, e)
    log(f, g, h, i, j)
    log(k)
    accelerator.unscale_gradients()
    log(step)
    return k


def train(model, loader, optimizer, log):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        accelerator.backward(F.cross_entropy(model(x), y))
        prepare_gradients(accelerator, log, step)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
