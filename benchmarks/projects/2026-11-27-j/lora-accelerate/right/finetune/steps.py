from accelerate import Accelerator

from finetune.config import FinetuneConfig


def clip(accelerator: Accelerator, model, max_norm: float) -> None:
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), max_norm)


def train_step(accelerator: Accelerator, model, optimizer, scheduler, batch, cfg: FinetuneConfig) -> float:
    loss = model(**batch)
    accelerator.backward(loss)
    clip(accelerator, model, cfg.max_grad_norm)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
    return loss.item()
