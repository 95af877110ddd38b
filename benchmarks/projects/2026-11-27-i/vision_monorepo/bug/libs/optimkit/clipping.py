import torch


def limit_gradients(module, max_norm, norm_type=2.0):
    """Scales the gradients of a module down to a norm."""
    return torch.nn.utils.clip_grad_norm_(module.parameters(), max_norm, norm_type)
