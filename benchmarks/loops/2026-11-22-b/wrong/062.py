import lightning as L
import torch
from torch.optim.lr_scheduler import LambdaLR

from finetune.data import InstructionData
from finetune.lora import lora_model, lora_state_dict

MICRO_BATCH = 4
GRAD_ACCUM = 32
MAX_UPDATES = 1500
WARMUP = 100


def linear(updates: int) -> float:
    if updates < WARMUP:
        return (updates + 1) / WARMUP
    return max(0.0, (MAX_UPDATES - updates) / (MAX_UPDATES - WARMUP))


def loss_fn(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(
        logits[..., :-1, :].reshape(-1, logits.size(-1)), labels[..., 1:].reshape(-1), ignore_index=-1
    )


def train(fabric: L.Fabric, model, optimizer, scheduler, data: InstructionData) -> None:
    micro, updates = 0, 0
    while updates < MAX_UPDATES:
        micro += 1
        input_ids, labels = data.sample(MICRO_BATCH, device=fabric.device)
        is_accumulating = micro % GRAD_ACCUM != 0
        with fabric.no_backward_sync(model, enabled=is_accumulating):
            loss = loss_fn(model(input_ids), labels)
            fabric.backward(loss)
        if not is_accumulating:
            optimizer.step()
            optimizer.zero_grad()
            updates += 1
            fabric.print(f"update {updates}: {loss.item():.4f}")
        scheduler.step()


def main(path: str) -> None:
    fabric = L.Fabric(accelerator="cuda", devices=2, strategy="ddp", precision="bf16-true")
    fabric.launch()
    with fabric.init_module():
        model = lora_model("llama-7b", r=8, alpha=16)
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=3e-4)
    scheduler = LambdaLR(optimizer, linear)
    model, optimizer = fabric.setup(model, optimizer)
    model.train()
    train(fabric, model, optimizer, scheduler, InstructionData(path, rank=fabric.global_rank))
    fabric.save("lora.ckpt", {"model": lora_state_dict(model)})


if __name__ == "__main__":
    main("data/alpaca")
