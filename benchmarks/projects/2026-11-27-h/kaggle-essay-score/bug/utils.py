import torch


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


def current_grad_norm(scaler, optimizer, model):
    scaler.unscale_(optimizer)
    return torch.nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None]).item()
