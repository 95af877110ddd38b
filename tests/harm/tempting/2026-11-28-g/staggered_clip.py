import torch
from torch.nn.utils import clip_grad_norm_

EPOCHS = 3


def two_towers():
    body = torch.nn.Sequential(torch.nn.Linear(7, 9), torch.nn.GELU())
    head = torch.nn.Linear(9, 4)
    return body, head


def main(record, clip_everything_else=None):
    torch.manual_seed(101)
    body, head = two_towers()
    body_opt = torch.optim.RMSprop(body.parameters(), lr=2e-3)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.5)
    both = list(body.parameters()) + list(head.parameters())
    xs = torch.randn(6, 14, 7)
    ys = torch.randint(0, 4, (6, 14))

    for epoch in range(EPOCHS):
        norms = []
        for x, y in zip(xs, ys):
            features = body(x)
            loss = torch.nn.functional.cross_entropy(head(features), y)
            body_opt.zero_grad()
            head_opt.zero_grad()
            loss.backward()
            body_opt.step()
            record(both)
            norms.append(clip_grad_norm_(head.parameters(), 0.25))
            head_opt.step()
            record(both)
        print(epoch, torch.stack(norms).mean().item())


def train(record):
    main(record)


if __name__ == "__main__":
    train(lambda parameters: None)
