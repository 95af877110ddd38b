import os

import torch
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader
from torch.utils.tensorboard import SummaryWriter
from transformers import AutoModelForCausalLM, AutoTokenizer, default_data_collator

from sft.data import InstructionDataset


def finetune(base, data_path, out, accumulation=16, lr=2e-4, epochs=2, max_len=1024):
    writer = SummaryWriter(os.path.join(out, "runs"))
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForCausalLM.from_pretrained(base, torch_dtype=torch.bfloat16, device_map={"": 0})
    model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "v_proj"]))
    model.print_trainable_parameters()

    dataset = InstructionDataset(data_path, tokenizer, max_len)
    loader = DataLoader(dataset, batch_size=1, shuffle=True, collate_fn=default_data_collator)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)

    model.train()
    shown, updates = 0.0, 0
    for epoch in range(epochs):
        for i, batch in enumerate(loader, start=1):
            out_ = model(**{k: v.to(0) for k, v in batch.items()})
            loss = out_.loss
            scaled = loss / accumulation
            shown += scaled.item()
            loss.backward()
            if i % accumulation != 0 and i != len(loader):
                continue
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            updates += 1
            writer.add_scalar("train/loss", shown, updates)
            shown = 0.0
        model.save_pretrained(os.path.join(out, f"epoch-{epoch}"))
    writer.close()
