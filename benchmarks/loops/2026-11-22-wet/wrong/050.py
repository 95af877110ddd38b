import torch
import torch.nn.functional as F

from molecules import MPNN, train_batches, valid_batches


def validation_error(model):
    model.eval()
    error, n = 0.0, 0
    for graph in valid_batches():
        prediction = model(graph.x, graph.edge_index, graph.batch)
        error += F.l1_loss(prediction.squeeze(-1), graph.y, reduction="sum").item()
        n += graph.num_graphs
    return error / n


def main(patience=10):
    model = MPNN(hidden=200)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    best, waited, epoch = float("inf"), 0, 0
    while waited < patience:
        model.train()
        for graph in train_batches(shuffle=True):
            optimizer.zero_grad()
            prediction = model(graph.x, graph.edge_index, graph.batch)
            loss = F.mse_loss(prediction.squeeze(-1), graph.y)
            loss.backward()
            optimizer.step()
        error = validation_error(model)
        epoch += 1
        if error < best:
            best, waited = error, 0
            torch.save(model.state_dict(), "best.pt")
        else:
            waited += 1
        print(f"epoch {epoch} MAE {error:.4f} best {best:.4f}")


main()
