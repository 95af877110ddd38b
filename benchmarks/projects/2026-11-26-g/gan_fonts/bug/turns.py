import torch
from torch.nn.functional import softplus


def critic_turn(nets, pair, real):
    with torch.no_grad():
        fake = nets["drawer"](torch.randn(len(real), 8))
    loss = softplus(-nets["critic"](real)).mean() + softplus(nets["critic"](fake)).mean()
    loss.backward()
    pair.advance("critic")
    return loss.item()


def drawer_turn(nets, pair, size):
    fake = nets["drawer"](torch.randn(size, 8))
    loss = softplus(-nets["critic"](fake)).mean()
    loss.backward()
    pair.advance("drawer")
    return loss.item()
