from torch.nn.utils import clip_grad_norm_


def backward(loss):
    loss.backward()


def update(optimizer, parameters, max_norm):
    clip_grad_norm_(parameters, max_norm)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def every(count, index, total):
    return (index + 1) % count == 0 or index + 1 == total
