import torch
from torch.utils.data import DataLoader
from transformers import AutoModel

from adapters_lite import inject_adapters
from ner.data import ConllDataset, pad
from ner.model import Tagger


def freeze_backbone(model):
    for name, p in model.named_parameters():
        p.requires_grad = "adapter" in name or "head" in name


def train(model_name="xlm-roberta-base", lr=1e-4, epochs=8, max_grad_norm=1.0):
    backbone = inject_adapters(AutoModel.from_pretrained(model_name), bottleneck=64)
    model = Tagger(backbone, labels=9).cuda()
    freeze_backbone(model)
    params = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = torch.optim.AdamW(params, lr=lr, weight_decay=0.01)
    loader = DataLoader(ConllDataset("train.txt"), batch_size=32, shuffle=True, collate_fn=pad)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=epochs)

    for epoch in range(epochs):
        model.train()
        total = 0.0
        for tokens, mask, tags in loader:
            loss = model(tokens.cuda(), mask.cuda(), tags.cuda())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(params, max_grad_norm)
            optimizer.step()
            total += loss.item()
        scheduler.step()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")
    torch.save({k: v for k, v in model.state_dict().items() if "adapter" in k or "head" in k}, "adapters.pt")


if __name__ == "__main__":
    train()
