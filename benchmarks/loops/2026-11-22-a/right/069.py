import argparse

import torch
import torch.nn as nn
from apex import amp
from apex.optimizers import FusedAdam
from torch.utils.data import DataLoader

from ernie.data import PretrainShards
from ernie.model import BertForPretraining


def main(args):
    loader = DataLoader(PretrainShards(args.input_dir), batch_size=args.train_batch_size, shuffle=True, drop_last=True)
    model = BertForPretraining(args.config).cuda()
    optimizer = FusedAdam(model.parameters(), lr=args.learning_rate, bias_correction=False)
    model, optimizer = amp.initialize(model, optimizer, opt_level="O2", loss_scale="dynamic")
    criterion = nn.CrossEntropyLoss(ignore_index=-1)
    n = args.gradient_accumulation_steps
    global_step = 0
    model.train()
    micro = 0
    while global_step < args.max_steps:
        for ids, segments, mask, labels in loader:
            logits = model(ids.cuda(), segments.cuda(), mask.cuda())
            loss = criterion(logits.view(-1, logits.size(-1)), labels.cuda().view(-1))
            if n > 1:
                loss = loss / n
            micro += 1
            boundary = micro % n == 0
            with amp.scale_loss(loss, optimizer, delay_unscale=not boundary) as scaled_loss:
                scaled_loss.backward()
            if boundary:
                nn.utils.clip_grad_norm_(amp.master_params(optimizer), args.max_grad_norm)
                optimizer.step()
                optimizer.zero_grad()
                global_step += 1
                if global_step % 100 == 0:
                    print(f"step {global_step} loss {loss.item() * n:.4f}")
            if global_step == args.max_steps:
                break
    torch.save({"model": model.state_dict(), "amp": amp.state_dict()}, args.output)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--input_dir", required=True)
    p.add_argument("--config", default="bert_config.json")
    p.add_argument("--train_batch_size", type=int, default=32)
    p.add_argument("--gradient_accumulation_steps", type=int, default=8)
    p.add_argument("--learning_rate", type=float, default=4e-4)
    p.add_argument("--max_grad_norm", type=float, default=1.0)
    p.add_argument("--max_steps", type=int, default=100_000)
    p.add_argument("--output", default="bert.pt")
    main(p.parse_args())
