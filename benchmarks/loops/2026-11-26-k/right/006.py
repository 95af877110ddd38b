import torch
import torch.nn as nn


class RunningUpdater:
    def __init__(self, model, optimizer, every):
        self.model, self.optimizer, self.every = model, optimizer, every
        self.next_index = 1

    def feed(self, batch):
        x, y = batch
        loss = nn.functional.cross_entropy(self.model(x), y)
        (loss / self.every).backward()
        self.next_index += 1
        if self.next_index > self.every:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.next_index = 1
        return loss.item()

    def close(self):
        if self.next_index > 1:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.next_index = 1


torch.manual_seed(106)
clf = nn.Sequential(nn.Linear(11, 22), nn.Hardswish(), nn.Linear(22, 3))
updater = RunningUpdater(clf, torch.optim.SGD(clf.parameters(), lr=0.3), every=4)
for epoch in range(3):
    values = []
    for _ in range(14):
        x = torch.randn(10, 11)
        values.append(updater.feed((x, x[:, :3].argmax(1))))
    updater.close()
    print(epoch, sum(values) / len(values))
