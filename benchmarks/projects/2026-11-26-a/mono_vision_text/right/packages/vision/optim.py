import torch


def build(model, lr=0.1):
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)


def apply(optimizer, model, max_norm=5.0):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
