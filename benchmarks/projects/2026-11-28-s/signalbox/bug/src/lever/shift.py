from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_


def work(net, trains, optimizer, precision, params, max_norm):
    net.train()
    total = 0.0
    for route, lever in trains:
        with precision.forward():
            loss = cross_entropy(net(route).float(), lever)
        precision.backward(loss)
        precision.true_gradients(optimizer)
        clip_grad_norm_(params, max_norm)
        precision.update(optimizer)
        total += loss.item()
    return total / len(trains)
