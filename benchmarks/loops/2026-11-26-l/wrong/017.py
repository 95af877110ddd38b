import torch


class SeqTagger(torch.nn.Module):
    def __init__(self, n_words=50, n_tags=5):
        super().__init__()
        self.embed = torch.nn.Embedding(n_words, 16)
        self.lstm = torch.nn.LSTM(16, 16, bidirectional=True, batch_first=True)
        self.proj = torch.nn.Linear(32, n_tags)

    def forward(self, ids):
        return self.proj(self.lstm(self.embed(ids))[0])


torch.manual_seed(8)
tagger = SeqTagger()
opt = torch.optim.Adam(tagger.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
corpus = [(torch.randint(0, 50, (4, 9)), torch.randint(0, 5, (4, 9))) for _ in range(12)]
window = 3

for epoch in range(2):
    for n, (ids, tags) in enumerate(corpus, 1):
        logits = tagger(ids)
        loss = torch.nn.functional.cross_entropy(logits.transpose(1, 2), tags) / window
        scaler.scale(loss).backward()
        if n % window == 0:
            scaler.unscale_(opt)
            torch.nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
    print(epoch, loss.item() * window)
