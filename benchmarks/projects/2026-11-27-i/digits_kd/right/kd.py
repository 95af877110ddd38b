import torch
import torch.nn.functional as F


def kd_loss(student, x, y, *, teacher, temperature, alpha):
    with torch.no_grad():
        soft = (teacher(x) / temperature).softmax(-1)
    logits = student(x)
    hard = F.cross_entropy(logits, y)
    soft_term = F.kl_div((logits / temperature).log_softmax(-1), soft, reduction="batchmean")
    return alpha * hard + (1 - alpha) * temperature**2 * soft_term


def backprop(objective, student, batch, accum):
    loss = objective(student, *batch)
    (loss / accum).backward()
    return loss.item()
