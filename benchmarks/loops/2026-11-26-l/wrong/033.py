import torch
from torch import nn

torch.manual_seed(10)
ACC = 4
docs = [(torch.randint(0, 100, (6, 20)), torch.randint(0, 2, (6,))) for _ in range(18)]
bag = nn.EmbeddingBag(100, 16)
clf = nn.Linear(16, 2)
params = [*bag.parameters(), *clf.parameters()]
opt = torch.optim.SGD(params, lr=0.5)

for epoch in range(2):
    for k, (tok, lab) in enumerate(docs):
        loss = nn.functional.cross_entropy(clf(bag(tok)), lab)
        (loss / ACC).backward()
        nn.utils.clip_grad_norm_(params, 0.1)
        if (k + 1) % ACC == 0 or k + 1 == len(docs):
            opt.step()
            opt.zero_grad()
    print("epoch", epoch, loss.item())
