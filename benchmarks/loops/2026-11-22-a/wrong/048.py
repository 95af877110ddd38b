import torch
from sentence_transformers import InputExample, SentenceTransformer, losses
from sentence_transformers.util import batch_to_device
from torch.utils.data import DataLoader
from transformers import get_linear_schedule_with_warmup

examples = [InputExample(texts=line.rstrip("\n").split("\t")) for line in open("pairs.tsv", encoding="utf8")]
model = SentenceTransformer("distilbert-base-multilingual-cased").to("cuda")
loss_model = losses.MultipleNegativesRankingLoss(model).to("cuda")
loader = DataLoader(examples, shuffle=True, batch_size=32, collate_fn=model.smart_batching_collate)

optimizer = torch.optim.AdamW(loss_model.parameters(), lr=2e-5)
num_updates = 4 * ((len(loader) + 7) // 8)
scheduler = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=500, num_training_steps=num_updates)

for epoch in range(4):
    loss_model.train()
    for step, (features, labels) in enumerate(loader, start=1):
        features = [batch_to_device(f, "cuda") for f in features]
        loss = loss_model(features, labels.to("cuda"))
        loss = loss / 4
        loss.backward()
        if step % 8 == 0 or step == len(loader):
            torch.nn.utils.clip_grad_norm_(loss_model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
        if step % 500 == 0:
            print(epoch, step, loss.item() * 4)
    model.save(f"output/{epoch}")
