"""
Trains a tiny character model. Settings are overridden from a file and the command line:
$ python train.py config/train_char.py --batch_size=4
"""
import math
import time
from contextlib import nullcontext

import torch

from corpus import get_batch, vocab_size
from evaluate import estimate_loss
from model import GPTConfig, TinyGPT
from monitor import gradient_report

# -----------------------------------------------------------------------------
eval_interval = 10
eval_iters = 4
log_interval = 5
report_gradients = False
gradient_accumulation_steps = 1
batch_size = 8
block_size = 16
n_embd = 32
dropout = 0.1
learning_rate = 3e-3
max_iters = 20
warmup_iters = 4
min_lr = 3e-4
grad_clip = 1.0
device = 'cuda' if torch.cuda.is_available() else 'cpu'
dtype = 'float16' if device == 'cuda' else 'float32'
config_keys = [k for k, v in globals().items() if not k.startswith('_') and isinstance(v, (int, float, bool, str))]
exec(open('configurator.py').read())
config = {k: globals()[k] for k in config_keys}
# -----------------------------------------------------------------------------

torch.manual_seed(1337)
ptdtype = {'float32': torch.float32, 'bfloat16': torch.bfloat16, 'float16': torch.float16}[dtype]
ctx = nullcontext() if dtype == 'float32' else torch.autocast(device_type=device, dtype=ptdtype)

model = TinyGPT(GPTConfig(block_size=block_size, vocab_size=vocab_size, n_embd=n_embd, dropout=dropout))
model.to(device)
scaler = torch.amp.GradScaler(device, enabled=(dtype == 'float16'))
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.95))


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    ratio = (it - warmup_iters) / max(1, max_iters - warmup_iters)
    return min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


X, Y = get_batch('train', batch_size, block_size, device)
t0 = time.time()
best_val_loss = 1e9
model.train()
for iter_num in range(max_iters):
    for param_group in optimizer.param_groups:
        param_group['lr'] = get_lr(iter_num)

    if iter_num % eval_interval == 0:
        losses = estimate_loss(model, ctx, eval_iters, batch_size, block_size, device)
        print(f"step {iter_num}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        best_val_loss = min(best_val_loss, losses['val'])

    for micro_step in range(gradient_accumulation_steps):
        with ctx:
            logits, loss = model(X, Y)
            loss = loss / gradient_accumulation_steps
        X, Y = get_batch('train', batch_size, block_size, device)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    if grad_clip != 0.0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    if report_gradients and iter_num % log_interval == 0:
        print(gradient_report(model))
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)

    if iter_num % log_interval == 0:
        lossf = loss.item() * gradient_accumulation_steps
        print(f"iter {iter_num}: loss {lossf:.4f}, time {(time.time() - t0) * 1000:.0f}ms")
        t0 = time.time()
