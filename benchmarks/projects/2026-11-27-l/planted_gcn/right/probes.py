def grad_sizes(model):
    return {name: p.grad.norm().item() for name, p in model.named_parameters() if p.grad is not None}


def make_probe(model, every):
    seen = []

    def probe(epoch):
        sizes = grad_sizes(model)
        if epoch % every == 0:
            seen.append(max(sizes.values()))
        return sizes

    return probe, seen
