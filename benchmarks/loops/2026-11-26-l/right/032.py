import torch


class Accumulating:
    def __init__(self, model, lr, every):
        self.model, self.every = model, every
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.upcoming = 1

    def consume(self, x, y):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(self.model(x).squeeze(-1), y)
        (loss / self.every).backward()
        self.upcoming += 1
        if self.upcoming > self.every:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.upcoming = 1
        return loss.item()


torch.manual_seed(0)
X = torch.randn(66, 4)
Y = (X.sum(1) > 0).float()
learner = Accumulating(torch.nn.Linear(4, 1), lr=0.5, every=3)
for epoch in range(3):
    perm = torch.randperm(66)
    losses = [learner.consume(X[i], Y[i]) for i in perm.split(6)]
    print(epoch, sum(losses) / len(losses), learner.upcoming)
