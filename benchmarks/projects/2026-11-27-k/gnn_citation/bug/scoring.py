def accuracies(model, graph, *splits):
    model.eval()
    guess = model(graph.x, graph.adj).argmax(1)
    return [(guess[s] == graph.y[s]).float().mean().item() for s in splits]
