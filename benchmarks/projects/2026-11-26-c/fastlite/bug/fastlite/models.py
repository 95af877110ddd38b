from torch import nn


def conv(ni, nf, stride=2):
    return nn.Sequential(nn.Conv2d(ni, nf, 3, stride=stride, padding=1), nn.BatchNorm2d(nf), nn.ReLU())


def simple_cnn(channels=(1, 8, 16), n_out=3):
    layers = [conv(a, b) for a, b in zip(channels[:-1], channels[1:])]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels[-1], n_out))
