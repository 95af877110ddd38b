from torch.nn.functional import cross_entropy


class Fitting:
    def __init__(self, net, optimizer, callbacks):
        self.net, self.optimizer, self.callbacks = net, optimizer, callbacks
        self.loss = None

    def tell(self, event, *details):
        for callback in self.callbacks:
            getattr(callback, event)(self, *details)

    def run(self, graph, epochs):
        for epoch in range(epochs):
            self.tell("start", epoch)
            logits = self.net(graph.x, graph.links)
            loss = cross_entropy(logits[graph.known], graph.y[graph.known])
            loss.backward()
            self.optimizer.step()
            self.loss = loss.item()
            self.tell("end", epoch, graph)
