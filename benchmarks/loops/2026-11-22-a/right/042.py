import torch
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import DataLoader

from handwriting.data import IAMLines, pad_lines
from handwriting.model import TrOCRSmall


def loss_of(model, pixels, tokens):
    with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
        logits = model(pixels, tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=1)
    return loss


def main(epochs=30, lr=4e-5):
    loader = DataLoader(IAMLines("train"), 24, shuffle=True, collate_fn=pad_lines, num_workers=8)
    model = TrOCRSmall().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    plan = schedule(wait=10, warmup=5, active=5, repeat=1)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], schedule=plan) as prof:
        for epoch in range(epochs):
            model.train()
            for pixels, tokens in loader:
                with record_function("iteration"):
                    pixels, tokens = pixels.cuda(non_blocking=True), tokens.cuda(non_blocking=True)
                    loss = loss_of(model, pixels, tokens)
                    with record_function("backward"):
                        optimizer.zero_grad()
                        loss.backward()
                    with record_function("update"):
                        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
                        optimizer.step()
                prof.step()
            print(epoch, loss.item())
    print(prof.key_averages().table(sort_by="cuda_time_total", row_limit=15))


if __name__ == "__main__":
    main()
