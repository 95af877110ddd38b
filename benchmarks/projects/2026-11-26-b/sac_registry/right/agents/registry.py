AGENTS = {}
OBJECTIVES = {}


def agent(name):
    def add(cls):
        AGENTS[name] = cls
        return cls

    return add


def objective(name):
    """Registers a function that computes the loss of one of the networks."""

    def add(function):
        def update(self, batch):
            optimizer = self.optimizers[name]
            loss = function(self, batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss.item()

        OBJECTIVES[name] = update
        return update

    return add
