from torch.nn.utils import clip_grad_norm_


def flush(net, optimizer, scaler, max_norm):
    """Close a window: true gradients, limit, step, clear."""
    scaler.unscale_(optimizer)
    clip_grad_norm_(net.parameters(), max_norm)
    optimizer.step()
    scaler.update()
    optimizer.zero_grad()
