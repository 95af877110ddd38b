import torch
import torch.nn.functional as F
from tqdm import tqdm

from bigmodel import build, token_loader


def attach(model, lr):
    optimizers = {p: torch.optim.AdamW([p], lr=lr, foreach=False) for p in model.parameters()}

    def hook(parameter):
        torch.nn.utils.clip_grad_norm_(parameter, 1.0)
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return optimizers


def main():
    model = build("3b", dtype=torch.bfloat16, device="cuda")
    optimizers = attach(model, lr=1e-5)
    print(len(optimizers), "optimizers")
    loader = token_loader(batch_size=1)
    model.train()
    seen = 0
    for step, tokens in tqdm(enumerate(loader), total=len(loader)):
        tokens = tokens.cuda()
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.float().transpose(1, 2), tokens[:, 1:])
        loss.backward()
        seen += tokens.numel()
        if step % 10 == 0:
            print(step, seen, loss.item())
    torch.save(model.state_dict(), "tuned.pt")


if __name__ == "__main__":
    main()
