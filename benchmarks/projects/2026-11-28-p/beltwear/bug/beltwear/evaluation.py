from torch.nn.functional import l1_loss


def measure(net, batches):
    net.eval()
    errors = []
    for x, life in batches:
        errors.append(l1_loss(net(x), life).item())
    return sum(errors) / len(errors)
