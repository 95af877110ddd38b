def gradient_report(model, optimizer, scaler, top=3):
    scaler.unscale_(optimizer)
    norms = {n: p.grad.norm().item() for n, p in model.named_parameters() if p.grad is not None}
    largest = sorted(norms, key=norms.get, reverse=True)[:top]
    return "grad " + ", ".join(f"{n}={norms[n]:.3f}" for n in largest)
