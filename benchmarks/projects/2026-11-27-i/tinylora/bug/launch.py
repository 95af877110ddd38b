import torch
from accelerate import Accelerator
from accelerate.utils import set_seed


def accelerator_for(s):
    set_seed(s.seed)
    return Accelerator(cpu=True, gradient_accumulation_steps=s.grad_accum)


def optimizer_for(model, s):
    trainable = [p for p in model.parameters() if p.requires_grad]
    return torch.optim.AdamW(trainable, lr=s.lr, weight_decay=0.0)
