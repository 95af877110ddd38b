from torch.nn import functional as F

from shaft.contexts import lamp


def assay(tunnel, ore, salt):
    with lamp():
        grade = tunnel(ore)
        return F.mse_loss(grade, salt)


def book(loss, pieces):
    (loss / pieces).backward()
    return loss.item()
