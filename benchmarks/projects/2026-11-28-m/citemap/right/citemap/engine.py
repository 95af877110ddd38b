import torch
from torch.nn.functional import cross_entropy


class Engine:
    def __init__(self, model, graph, lr):
        torch.manual_seed(1)
        self.model, self.graph = model, graph
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=5e-4)
        self.plan = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.5)
        self.epoch, self.logs = 0, {}

    def train_step(self):
        g = self.graph
        self.model.train()
        self.optimizer.zero_grad()
        loss = cross_entropy(self.model(g.x, g.adj)[g.train], g.y[g.train])
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, epochs, callbacks):
        for self.epoch in range(1, epochs + 1):
            self.logs = {"loss": self.train_step(), "lr": self.optimizer.param_groups[0]["lr"]}
            for cb in callbacks:
                cb.on_epoch_end(self)
