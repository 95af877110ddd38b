from torch.nn.utils import clip_grad_norm_


def guarded_backward(loss, parameters, max_norm):
    loss.backward()
    return clip_grad_norm_(parameters, max_norm)
