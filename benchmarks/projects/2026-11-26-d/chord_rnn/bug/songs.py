import torch


def song(notes, gen, length=13, batch=6):
    root = torch.randint(notes, (batch, 1), generator=gen)
    beat = (root + 5 * torch.arange(length)) % notes
    frames = sum(torch.nn.functional.one_hot((beat + k) % notes, notes) for k in (0, 4, 7)).float()
    return frames[:, :-1], frames[:, 1:]
