def clip_gradients(accelerator, model, max_norm):
    if not max_norm:
        return None
    return accelerator.clip_grad_norm_(model.parameters(), max_norm)


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
