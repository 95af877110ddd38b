from torch.nn import functional as F


def hinge(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def adversarial(fake):
    return -fake.mean()


def feature_distance(fake, wave):
    return F.l1_loss(fake.float(), wave.float())
