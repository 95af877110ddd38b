import itertools

import torch
import torch.nn.functional as F

from graphs import GraphNet, graph_loader

MICRO_BATCHES = 16


def micro_loss(model, graph):
    energy, forces = model(graph)
    loss = F.l1_loss(energy, graph.y) + 10.0 * F.mse_loss(forces, graph.dy)
    return loss / 8


def train(max_updates=50_000):
    model = GraphNet(hidden=128, layers=6).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4, amsgrad=True)
    plateau = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10_000, gamma=0.5)
    graphs = itertools.cycle(graph_loader("qm9"))

    for update in range(max_updates):
        optimizer.zero_grad(set_to_none=True)
        for graph in itertools.islice(graphs, MICRO_BATCHES):
            loss = micro_loss(model, graph.to("cuda"))
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        plateau.step()
        if update % 250 == 0:
            print(update, float(loss))


train()
