import os

import torch
from accelerate import Accelerator
from datasets import load_from_disk
from torch.utils.data import DataLoader
from transformers import WhisperForConditionalGeneration, WhisperProcessor

from whisper_ft.collate import SpeechCollator


class Settings:
    base = "openai/whisper-small"
    data = "cv_sw"
    batch_size = 8
    accumulation = 4
    lr = 1e-5
    max_updates = 4000
    out = "whisper-sw"


def main(s=Settings):
    accelerator = Accelerator(
        mixed_precision="fp16", gradient_accumulation_steps=s.accumulation, log_with="tensorboard", project_dir=s.out
    )
    processor = WhisperProcessor.from_pretrained(s.base)
    model = WhisperForConditionalGeneration.from_pretrained(s.base)
    optimizer = torch.optim.AdamW(model.parameters(), lr=s.lr)
    loader = DataLoader(
        load_from_disk(s.data)["train"], batch_size=s.batch_size, shuffle=True, collate_fn=SpeechCollator(processor)
    )
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    accelerator.init_trackers("whisper")

    done = 0
    while done < s.max_updates:
        model.train()
        for batch in loader:
            with accelerator.accumulate(model):
                loss = model(**batch).loss
                loss = loss / s.accumulation
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                done += 1
                accelerator.log({"loss": loss.item() * s.accumulation}, step=done)
            if done == s.max_updates:
                break
    if accelerator.is_main_process:
        accelerator.unwrap_model(model).save_pretrained(os.path.join(s.out, "final"))
    accelerator.end_training()


if __name__ == "__main__":
    main()
