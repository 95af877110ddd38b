import torch
from torch.utils.data import DataLoader, TensorDataset, random_split


def weather(settings):
    g = torch.Generator().manual_seed(settings.seed)
    rain = torch.rand(settings.stations, settings.days, 1, generator=g)
    heat = torch.rand(settings.stations, settings.days, 1, generator=g)
    moisture = (rain - 0.6 * heat).cumsum(1) * 0.2
    mask = (torch.rand(moisture.shape, generator=g) > 0.15).float()
    data = TensorDataset(torch.cat([rain, heat], -1), moisture, mask)
    train, held_out = random_split(data, [settings.stations - 12, 12], generator=g)
    return (
        DataLoader(train, settings.batch_size, shuffle=True, generator=g),
        DataLoader(held_out, settings.batch_size),
    )
