from torch.nn.utils import clip_grad_norm_


def backward(loss, parameters, max_norm):
    loss.backward()
    clip_grad_norm_(parameters, max_norm)


def update(optimizer):
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def every(count, index):
    return (index + 1) % count == 0
