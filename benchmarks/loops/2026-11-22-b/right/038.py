from collections import defaultdict

import torch
import torch.nn.functional as F
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    Trainer,
    TrainingArguments,
)

from distil.data import instruction_dataset


class DistillationTrainer(Trainer):
    def __init__(self, *args, teacher, alpha=0.5, temperature=2.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.teacher = teacher.eval().requires_grad_(False).to(self.args.device)
        self.alpha = alpha
        self.temperature = temperature
        self.parts = defaultdict(list)

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs["labels"][:, 1:]
        keep = labels.ne(-100)
        outputs = model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
        with torch.no_grad():
            teacher = self.teacher(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
        student_logits = outputs.logits[:, :-1][keep].float()
        teacher_logits = teacher.logits[:, :-1][keep].float()
        t = self.temperature
        kl = F.kl_div(
            F.log_softmax(student_logits / t, -1), F.log_softmax(teacher_logits / t, -1), log_target=True, reduction="sum"
        )
        ce = F.cross_entropy(student_logits, labels[keep], reduction="sum")
        n = num_items_in_batch if num_items_in_batch is not None else keep.sum()
        self.parts["kl"].append(kl.item() / int(keep.sum()))
        self.parts["ce"].append(ce.item() / int(keep.sum()))
        loss = (self.alpha * t * t * kl + (1 - self.alpha) * ce) / n
        return (loss, outputs) if return_outputs else loss

    def log(self, logs, *args, **kwargs):
        for name, values in self.parts.items():
            if values:
                logs[name] = sum(values) / len(values)
                values.clear()
        super().log(logs, *args, **kwargs)


def main(student_name, teacher_name):
    tokenizer = AutoTokenizer.from_pretrained(student_name)
    student = AutoModelForCausalLM.from_pretrained(student_name)
    teacher = AutoModelForCausalLM.from_pretrained(teacher_name)
    args = TrainingArguments(
        "out", per_device_train_batch_size=2, gradient_accumulation_steps=16, bf16=True, max_grad_norm=1.0
    )
    DistillationTrainer(
        student,
        args,
        teacher=teacher,
        train_dataset=instruction_dataset(tokenizer),
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=student),
    ).train()
