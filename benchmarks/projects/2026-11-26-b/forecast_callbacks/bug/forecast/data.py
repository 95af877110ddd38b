import torch


def series(length):
    t = torch.arange(length).float()
    return torch.sin(t / 6) + 0.4 * torch.sin(t / 17) + 0.05 * torch.randn(length)


def windows(values, settings, count):
    span = settings.history + settings.horizon
    for _ in range(count):
        starts = torch.randint(0, len(values) - span, (settings.batch_size,))
        batch = torch.stack([values[s : s + span] for s in starts.tolist()])
        yield batch[:, : settings.history], batch[:, settings.history :]
