class Engine:
    def __init__(self, model, head, optimizer, policy, window):
        self.model, self.head = model, head
        self.optimizer, self.policy = optimizer, policy
        self.window = window

    def micro(self, wings, species):
        loss = self.head.loss(self.model(wings), species)
        loss.backward()
        self.policy.after_backward(self.model)
        return loss.item()

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()

    def night(self, batches):
        self.model.train()
        seen, waiting = 0.0, 0
        for n, (wings, species) in enumerate(batches, 1):
            seen += self.micro(wings, species)
            waiting += 1
            if waiting == self.window or n == len(batches):
                self.update()
                waiting = 0
        return seen / len(batches)
