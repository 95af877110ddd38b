class Runner:
    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks
        self.step = 0
        self.loss = None

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def run(self, data, epochs):
        self.model.train()
        for _ in range(epochs):
            for x in data:
                self.step += 1
                self.call("before_batch")
                loss = self.model.elbo(x)
                loss.backward()
                self.call("after_backward")
                self.optimizer.step()
                self.loss = loss
                self.call("after_batch")
