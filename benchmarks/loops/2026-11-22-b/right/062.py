import torch
from torch import nn
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import AutoModel

from toxicity.data import Comments, collate


class Classifier(nn.Module):
    def __init__(self, name: str, n_labels: int):
        super().__init__()
        self.body = AutoModel.from_pretrained(name)
        self.head = nn.Linear(self.body.config.hidden_size, n_labels)

    def forward(self, ids, mask):
        return self.head(self.body(input_ids=ids, attention_mask=mask).last_hidden_state[:, 0])

    def layers_from_top(self):
        return list(reversed(self.body.encoder.layer))


class GradualUnfreezing:
    def __init__(self, model: Classifier, lr: float, decay: float = 2.6):
        self.model = model
        self.decay = decay
        self.waiting = model.layers_from_top()
        model.body.requires_grad_(False)
        self.optimizer = AdamW([{"params": list(model.head.parameters()), "lr": lr}])
        self.lr = lr

    def thaw(self) -> bool:
        if not self.waiting:
            return False
        layer = self.waiting.pop(0)
        layer.requires_grad_(True)
        self.lr /= self.decay
        self.optimizer.add_param_group({"params": list(layer.parameters()), "lr": self.lr})
        return True

    def update(self, loss: torch.Tensor, limit: float = 1.0) -> None:
        self.model.zero_grad()
        loss.backward()
        for group in self.optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], limit)
        self.optimizer.step()


def train(name: str, root: str, epochs: int = 8, lr: float = 1e-3, device: str = "cuda"):
    dataset = Comments(root)
    loader = DataLoader(dataset, 32, shuffle=True, collate_fn=collate)
    model = Classifier(name, dataset.n_labels).to(device)
    plan = GradualUnfreezing(model, lr)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        if epoch:
            plan.thaw()
        model.train()
        total = 0.0
        for ids, mask, labels in loader:
            loss = loss_fn(model(ids.to(device), mask.to(device)), labels.to(device))
            plan.update(loss)
            total += loss.item()
        print(epoch, len(plan.optimizer.param_groups), total / len(loader))
    return model
