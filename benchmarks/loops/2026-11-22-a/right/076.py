import torch
import torch.nn.functional as F
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

from toxicity.data import load_splits
from toxicity.metrics import macro_f1


class WeightedTrainer(Trainer):
    def __init__(self, *args, class_weights=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weights = class_weights
        self.model_accepts_loss_kwargs = False

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        weight = self.class_weights.to(outputs.logits.device)
        loss = F.cross_entropy(outputs.logits, labels, weight=weight)
        return (loss, outputs) if return_outputs else loss


def main(name="microsoft/mdeberta-v3-base"):
    tokenizer = AutoTokenizer.from_pretrained(name)
    train, valid = load_splits("toxic.csv", tokenizer)
    model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=6)
    args = TrainingArguments(
        output_dir="toxic",
        per_device_train_batch_size=16,
        gradient_accumulation_steps=4,
        max_grad_norm=1.0,
        fp16=torch.cuda.is_available(),
        num_train_epochs=3,
        lr_scheduler_type="cosine",
        warmup_ratio=0.06,
        eval_strategy="epoch",
    )
    counts = torch.bincount(torch.tensor(train["labels"]), minlength=6).float()
    trainer = WeightedTrainer(
        model=model,
        args=args,
        train_dataset=train,
        eval_dataset=valid,
        compute_metrics=macro_f1,
        processing_class=tokenizer,
        class_weights=counts.sum() / (6 * counts),
    )
    trainer.train()
    trainer.save_model("toxic/best")


if __name__ == "__main__":
    main()
