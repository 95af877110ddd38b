import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM

from lowmem.data import PackedText, collate


class OptimizerInBackward:
    """Steps and clears each parameter as soon as its gradient is complete."""

    def __init__(self, model: nn.Module, lr: float):
        self.optimizers = {p: torch.optim.SGD([p], lr=lr) for p in model.parameters() if p.requires_grad}
        self.handles = [p.register_post_accumulate_grad_hook(self._apply) for p in self.optimizers]

    def _apply(self, p: torch.Tensor) -> None:
        optimizer = self.optimizers[p]
        optimizer.step()
        optimizer.zero_grad()

    def set_lr(self, lr: float) -> None:
        for optimizer in self.optimizers.values():
            optimizer.param_groups[0]["lr"] = lr

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def warm_then_decay(step: int, total: int, peak: float) -> float:
    warm = max(1, total // 20)
    if step < warm:
        return peak * (step + 1) / warm
    return peak * max(0.0, (total - step) / (total - warm))


def main(name: str, path: str, epochs: int = 1, peak: float = 1e-3) -> None:
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16).cuda()
    model.gradient_checkpointing_enable()
    loader = DataLoader(PackedText(path), batch_size=1, shuffle=True, collate_fn=collate)
    fused = OptimizerInBackward(model, peak)
    total, step = epochs * len(loader), 0
    model.train()
    for _ in range(epochs):
        for batch in loader:
            fused.set_lr(warm_then_decay(step, total, peak))
            loss = model(**{k: v.cuda() for k, v in batch.items()}).loss
            loss.backward()
            step += 1
            if step % 20 == 0:
                print(f"{step}/{total} {loss.item():.4f}")
    fused.remove()
    model.save_pretrained("out")


if __name__ == "__main__":
    main("facebook/opt-6.7b", "data/packed")
