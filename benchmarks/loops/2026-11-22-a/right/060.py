import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, DataCollatorForLanguageModeling

from longctx.data import packed


def step_in_backward(model, lr):
    optimizers = {p: torch.optim.AdamW([p], lr=lr, foreach=False) for p in model.parameters() if p.requires_grad}

    def hook(parameter):
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for p in optimizers:
        p.register_post_accumulate_grad_hook(hook)
    return optimizers


def set_lr(optimizers, lr):
    for optimizer in optimizers.values():
        for group in optimizer.param_groups:
            group["lr"] = lr


def main(name="meta-llama/Llama-3.2-3B", lr=1e-5, warmup=100, steps=3000):
    tokenizer = AutoTokenizer.from_pretrained(name)
    tokenizer.pad_token = tokenizer.eos_token
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16).cuda()
    model.gradient_checkpointing_enable()
    optimizers = step_in_backward(model, lr)
    collate = DataCollatorForLanguageModeling(tokenizer, mlm=False)
    loader = DataLoader(packed("pg19", tokenizer, 16_384), batch_size=1, shuffle=True, collate_fn=collate)
    model.train()
    for step, batch in enumerate(loader):
        set_lr(optimizers, lr * min(1.0, (step + 1) / warmup))
        ids = batch["input_ids"].cuda()
        logits = model(ids[:, :-1]).logits
        loss = F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())
        loss.backward()
        if step % 10 == 0:
            print(step, loss.item(), torch.cuda.max_memory_allocated() >> 20)
        if step == steps:
            break
    model.save_pretrained("longctx")


if __name__ == "__main__":
    main()
