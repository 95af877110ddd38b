from torch.nn.utils import clip_grad_norm_


def finish_step(scaler, optimizer, params, max_norm):
    scaler.unscale_(optimizer)
    norm = clip_grad_norm_(params, max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    return norm
