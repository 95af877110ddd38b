import deepspeed
import torch
from torch.utils.data import DataLoader
from transformers import T5ForConditionalGeneration, T5Tokenizer

from summarize.data import SummaryDataset

ACCUM = 8


def ds_config(lr, total, accum=ACCUM):
    return {
        "train_micro_batch_size_per_gpu": 2,
        "gradient_accumulation_steps": accum,
        "gradient_clipping": 1.0,
        "optimizer": {"type": "AdamW", "params": {"lr": lr, "weight_decay": 0.0}},
        "scheduler": {"type": "WarmupDecayLR", "params": {"total_num_steps": total, "warmup_num_steps": 100}},
        "fp16": {"enabled": True},
        "zero_optimization": {"stage": 2, "overlap_comm": True},
    }


class Seq2SeqCollator:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def __call__(self, rows):
        src = self.tokenizer([r["document"] for r in rows], padding=True, truncation=True, return_tensors="pt")
        tgt = self.tokenizer([r["summary"] for r in rows], padding=True, truncation=True, return_tensors="pt")
        labels = tgt.input_ids.masked_fill(tgt.input_ids == self.tokenizer.pad_token_id, -100)
        return {"input_ids": src.input_ids, "attention_mask": src.attention_mask, "labels": labels}


def run(model_name="t5-large", epochs=3, lr=1e-4):
    tokenizer = T5Tokenizer.from_pretrained(model_name)
    model = T5ForConditionalGeneration.from_pretrained(model_name)
    dataset = SummaryDataset("train")
    total = epochs * len(dataset) // (2 * ACCUM)
    engine, _, loader, _ = deepspeed.initialize(
        model=model,
        model_parameters=model.parameters(),
        training_data=dataset,
        collate_fn=Seq2SeqCollator(tokenizer),
        config=ds_config(lr, total),
    )
    assert isinstance(loader, DataLoader) or hasattr(loader, "__len__")
    engine.train()
    for epoch in range(epochs):
        for batch in loader:
            batch = {k: v.to(engine.device) for k, v in batch.items()}
            loss = engine(**batch).loss
            loss = loss / engine.gradient_accumulation_steps()
            engine.backward(loss)
            engine.step()
        engine.save_checkpoint("ckpt", tag=f"epoch{epoch}")
        if engine.global_rank == 0:
            print(epoch, loss.item(), torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    run()
