import torch


def max_norm_rows_(weight, limit):
    with torch.no_grad():
        weight.renorm_(2, 0, limit)


def tidy(model, optimizer, limit=2.0):
    """Row norms back under the limit, gradient buffers released."""
    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            max_norm_rows_(module.weight, limit)
    optimizer.zero_grad(set_to_none=True)
