import torch.nn.functional as F


def pair_loss(accelerator, model, batch):
    left, right, label = batch
    logits = model(left, right)
    loss = F.cross_entropy(logits.float(), label, label_smoothing=0.1)
    return loss / accelerator.gradient_accumulation_steps
