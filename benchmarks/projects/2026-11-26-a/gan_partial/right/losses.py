import torch.nn.functional as F


def discriminator_loss(real_logits, fake_logits):
    return F.softplus(-real_logits).mean() + F.softplus(fake_logits).mean()


def generator_loss(fake_logits):
    return F.softplus(-fake_logits).mean()
