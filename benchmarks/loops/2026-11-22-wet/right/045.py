import torch
import torch.nn.functional as F


def train(model, loader, epochs=10, accum=8, lr=5e-4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    parameters = [p for group in optimizer.param_groups for p in group["params"]]

    def update():
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()

    for epoch in range(epochs):
        model.train()
        micro = 0
        for ids, segments, label in loader:
            logits = model(ids, segments)
            loss = F.cross_entropy(logits, label) / accum
            loss.backward()
            micro += 1
            if micro == accum:
                update()
                micro = 0
        if micro > 0:
            for p in parameters:
                if p.grad is not None:
                    p.grad.mul_(accum / micro)
            update()
        print(f"epoch {epoch} loss {loss.item() * accum:.4f}")
    return model


if __name__ == "__main__":
    from nli import entailment_loader, small_bert

    train(small_bert(labels=3), entailment_loader("train"))
