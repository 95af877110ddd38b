import torch
from torch import nn

CFG = dict(accum=4, max_steps=13, lr=1e-2, blank=0, vocab=9, feats=10)


def utterances(seed):
    g = torch.Generator().manual_seed(seed)
    while True:
        frames = torch.randn(20, 2, CFG["feats"], generator=g)
        text = torch.randint(1, CFG["vocab"], (2, 5), generator=g)
        yield frames, text


class Acoustic(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(CFG["feats"], 16)
        self.fc = nn.Linear(16, CFG["vocab"])

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.fc(h).log_softmax(-1)


def restore(state=None):
    model = Acoustic()
    optim = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    if state is not None:
        model.load_state_dict(state["model"])
        optim.load_state_dict(state["optim"])
        return model, optim, state["step"] + 1
    return model, optim, 0


torch.manual_seed(1)
model, optim, first_step = restore()
ctc = nn.CTCLoss(blank=CFG["blank"], zero_infinity=True)
stream = utterances(7)
lengths = torch.full((2,), 20), torch.full((2,), 5)

optim.zero_grad(set_to_none=True)
for step in range(first_step, CFG["max_steps"]):
    frames, text = next(stream)
    loss = ctc(model(frames), text, *lengths)
    loss.div(CFG["accum"]).backward()
    if step % CFG["accum"] == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optim.step()
        optim.zero_grad(set_to_none=True)
        print("step", step, "ctc", round(loss.item(), 3))
