import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed

from embeddings import Encoder, PairDataset


def main(args):
    set_seed(args.seed)
    accelerator = Accelerator(gradient_accumulation_steps=args.accum)
    model = Encoder(args.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loader = torch.utils.data.DataLoader(PairDataset(args.data), batch_size=args.batch, shuffle=True, drop_last=True)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / args.warmup))
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    updates = 0
    for epoch in range(args.epochs):
        model.train()
        for query, passage in loader:
            with accelerator.accumulate(model):
                left, right = model(torch.cat([query, passage])).chunk(2)
                scores = left @ right.t() / args.temperature
                loss = F.cross_entropy(scores, torch.arange(len(scores), device=scores.device))
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), args.clip)
                    updates += 1
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}, {updates} updates, loss {loss.item():.4f}")
    accelerator.wait_for_everyone()
    accelerator.save(accelerator.unwrap_model(model).state_dict(), args.output)
