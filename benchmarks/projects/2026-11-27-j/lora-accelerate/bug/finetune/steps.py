from accelerate import Accelerator

from finetune.config import FinetuneConfig


def clip(accelerator: Accelerator, model, max_norm: float) -> None:
    accelerator.clip_grad_norm_(model.parameters(), max_norm)


def train_step(accelerator: Accelerator, model, optimizer, scheduler, batch, cfg: FinetuneConfig) -> float:
    optimizer.zero_grad()
    loss = model(**batch)
    accelerator.backward(loss / cfg.gradient_accumulation_steps)
    clip(accelerator, model, cfg.max_grad_norm)
    optimizer.step()
    scheduler.step()
    return loss.item()
