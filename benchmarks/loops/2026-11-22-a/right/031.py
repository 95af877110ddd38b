import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from glue_data import QQP, collate


class Distiller(nn.Module):
    def __init__(self, teacher_name, student_name, temperature=2.0, alpha=0.5):
        super().__init__()
        self.teacher = AutoModelForSequenceClassification.from_pretrained(teacher_name).requires_grad_(False)
        self.student = AutoModelForSequenceClassification.from_pretrained(student_name)
        self.t, self.alpha = temperature, alpha

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, ids, mask, labels):
        with torch.no_grad():
            soft = self.teacher(ids, attention_mask=mask).logits
        logits = self.student(ids, attention_mask=mask).logits
        kd = F.kl_div(
            F.log_softmax(logits / self.t, -1), F.softmax(soft / self.t, -1), reduction="batchmean"
        ) * self.t**2
        return self.alpha * kd + (1 - self.alpha) * F.cross_entropy(logits, labels), logits


def main(epochs=4, batch=64, lr=3e-5):
    tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
    distiller = Distiller("textattack/bert-base-uncased-QQP", "prajjwal1/bert-small").cuda()
    train = DataLoader(QQP("train", tokenizer), batch, shuffle=True, collate_fn=collate)
    dev = DataLoader(QQP("validation", tokenizer), 256, collate_fn=collate)
    optimizer = torch.optim.AdamW(distiller.student.parameters(), lr=lr)
    for epoch in range(epochs):
        distiller.train()
        for ids, mask, labels in train:
            loss, _ = distiller(ids.cuda(), mask.cuda(), labels.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        distiller.eval()
        with torch.inference_mode():
            hits = sum(
                (distiller(i.cuda(), m.cuda(), y.cuda())[1].argmax(-1).cpu() == y).sum().item() for i, m, y in dev
            )
        print(f"epoch {epoch} acc {hits / len(dev.dataset):.4f}")
    distiller.student.save_pretrained("student")


if __name__ == "__main__":
    main()
