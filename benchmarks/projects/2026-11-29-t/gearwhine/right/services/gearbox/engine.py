from precision import mixed, timed
from torch.nn import functional as F


def train_epoch(net, optimizer, scaler, clips, policy, book):
    net.train()
    for spectrum, whine in clips:
        optimizer.zero_grad()
        with mixed(policy):
            loss = F.binary_cross_entropy_with_logits(net(spectrum), whine)
        with timed(book, "backward"):
            scaler.scale(loss).backward()
        with timed(book, "step"):
            scaler.step(optimizer)
            scaler.update()
    return loss.item()
