import torch

from twin.encoder import Encoder


@torch.inference_mode()
def knn_accuracy(encoder: Encoder, bank, queries, size: int = 32) -> float:
    encoder.eval()
    keys = torch.cat([encoder(x) for x in bank.tensors[0].split(size)])
    hits = 0
    for x, y in zip(queries.tensors[0].split(size), queries.tensors[1].split(size)):
        nearest = (encoder(x) @ keys.T).argmax(1)
        hits += (bank.tensors[1][nearest] == y).sum().item()
    return hits / len(queries)
