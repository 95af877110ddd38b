import torch


def make_scaler(device, enabled):
    return torch.amp.GradScaler(device, enabled=enabled)


def finish_window(scaler, optimizer, params, max_norm):
    """Clip, step, clear. Returns the gradient's norm before clipping."""
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(params, max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    return norm.item()
