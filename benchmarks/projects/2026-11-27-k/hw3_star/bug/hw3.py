# CS 47 homework 3: seven segment digits
from data import *
from helpers import *

torch.manual_seed(47)
train_loader, test_loader = get_loaders(50)
net, opt, sched = build(lr=0.05)

for epoch in range(6):
    new_epoch(epoch, opt, sched)
    net.train()
    loss_sum, ok = 0., 0
    for x, y in train_loader:
        l, c = fit_batch(net, opt, x, y)
        loss_sum += l
        ok += c
    print('loss %.3f' % (loss_sum / len(train_loader)), 'train acc %.3f' % (ok / 1000), 'test acc %.3f' % test(net, test_loader))
