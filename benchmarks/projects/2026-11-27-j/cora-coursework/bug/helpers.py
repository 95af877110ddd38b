# Q4: accuracy on some of the nodes
def accuracy(model, graph, mask):
    model.eval()
    pred = model(graph.x, graph.adj).argmax(1)
    return (pred[mask] == graph.y[mask]).float().mean().item()


def take_step(model, optimizer):
    model.zero_grad()
    optimizer.step()
