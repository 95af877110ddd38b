class Surveyor:
    def __init__(self, net, optimizer, objective, window):
        self.net, self.optimizer = net, optimizer
        self.objective, self.window = objective, window
        self.updates = 0

    def sweep(self, loader):
        self.net.train()
        seen = 0.0
        for index, (images, species) in enumerate(loader):
            loss = self.objective(self.net(images), species)
            loss.backward()
            seen += loss.item() * self.window.size
            if self.window.closes(index):
                self.update()
        return seen / len(loader)

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.updates += 1
