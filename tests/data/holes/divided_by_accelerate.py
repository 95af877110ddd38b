# A loss that is divided by hand and by Accelerate, beside a clear within the window; and each of them alone.

# === divided twice, and cleared too often
from accelerate import Accelerator
from torch.nn.functional import mse_loss


def tune(net, opt, batches, accum):
    accelerator = Accelerator(gradient_accumulation_steps=accum)
    net, opt, batches = accelerator.prepare(net, opt, batches)
    for x, y in batches:
        with accelerator.accumulate(net):
            opt.zero_grad()  # <- zero-grad-in-accumulation
            accelerator.backward(mse_loss(net(x), y) / accum)  # <- accumulation-divisor-mismatch
            opt.step()


# === cleared too often
from accelerate import Accelerator
from torch.nn.functional import mse_loss


def tune(net, opt, batches, accum):
    accelerator = Accelerator(gradient_accumulation_steps=accum)
    net, opt, batches = accelerator.prepare(net, opt, batches)
    for x, y in batches:
        with accelerator.accumulate(net):
            opt.zero_grad()  # <- zero-grad-in-accumulation
            accelerator.backward(mse_loss(net(x), y))
            opt.step()


# === right: divided once, cleared once
from accelerate import Accelerator
from torch.nn.functional import mse_loss


def tune(net, opt, batches, accum):
    accelerator = Accelerator(gradient_accumulation_steps=accum)
    net, opt, batches = accelerator.prepare(net, opt, batches)
    for x, y in batches:
        with accelerator.accumulate(net):
            accelerator.backward(mse_loss(net(x), y))
            opt.step()
            opt.zero_grad()


# === right: divided by something else
from accelerate import Accelerator
from torch.nn.functional import mse_loss


def tune(net, opt, batches, accum, width):
    accelerator = Accelerator(gradient_accumulation_steps=accum)
    net, opt, batches = accelerator.prepare(net, opt, batches)
    for x, y in batches:
        with accelerator.accumulate(net):
            accelerator.backward(mse_loss(net(x), y, reduction="sum") / (len(x) * width))
            opt.step()
            opt.zero_grad()
