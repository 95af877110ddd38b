import torch.nn.functional as F


def node_loss(graph):
    return lambda model: F.cross_entropy(model(graph.x, graph.adj)[graph.train], graph.y[graph.train])


def stepper(model, optimizer, loss_of, probe):
    def step(epoch):
        model.train()
        optimizer.zero_grad()
        loss = loss_of(model)
        loss.backward()
        probe(epoch)
        optimizer.step()
        return loss.item()

    return step
