from torch.nn.functional import binary_cross_entropy_with_logits

from plant.constants import SHARE


def alarm_loss(net, batch):
    sensors, alarm = batch
    return binary_cross_entropy_with_logits(net(sensors), alarm) / SHARE
