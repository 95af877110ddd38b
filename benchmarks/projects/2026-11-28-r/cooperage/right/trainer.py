from torch import nn

from staves import casks


class Cooper:
    def __init__(self, kit, conf):
        self.kit, self.conf = kit, conf
        self.criterion = nn.CrossEntropyLoss()

    def tighten(self, x, y):
        kit = self.kit
        kit.optimizer.zero_grad()
        loss = self.criterion(kit.net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(kit.weights, self.conf.optim.clip)
        kit.optimizer.step()
        return loss.item()

    def work(self):
        for epoch in range(self.conf.epochs):
            self.kit.net.train()
            losses = [self.tighten(x, y) for x, y in casks(self.conf.cask.staves)]
            self.kit.schedule.step()
            print(epoch, round(sum(losses) / len(losses), 4), self.kit.schedule.get_last_lr())
