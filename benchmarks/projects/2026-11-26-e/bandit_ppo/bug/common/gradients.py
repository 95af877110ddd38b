from torch.nn.utils import clip_grad_norm_

__all__ = ["collect", "release"]


def collect(loss, net, max_norm=0.5):
    loss.backward()
    clip_grad_norm_(net.parameters(), max_norm)
    return loss.item()


def release(optimizer, net, max_norm=0.5):
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
