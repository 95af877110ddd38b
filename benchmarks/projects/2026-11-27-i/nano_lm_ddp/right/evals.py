import torch


@torch.no_grad()
def estimate_loss(model, get_batch, eval_iters):
    model.eval()
    losses = torch.zeros(eval_iters)
    for k in range(eval_iters):
        x, y = get_batch("val")
        losses[k] = model(x, y).item()
    model.train()
    return losses.mean().item()
