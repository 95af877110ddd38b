from typing import Tuple

import torch
from torch import nn
from torch.utils.data import DataLoader


@torch.no_grad()
def evaluation_loop(model: nn.Module, loader: DataLoader, device: str) -> Tuple[torch.Tensor, torch.Tensor]:
    model.eval()
    all_logits, all_labels = [], []
    for inputs, labels in loader:
        logits = model(inputs.to(device))
        if logits.dim() == 3:
            logits = logits.flatten(0, 1)
            labels = labels.flatten()
        all_logits.append(logits.cpu())
        all_labels.append(labels)
    return torch.cat(all_logits), torch.cat(all_labels)
