import torch
import torch.nn.functional as F


class SegmentTrainer:
    def __init__(self, model, segment=128, lr=2e-4, max_norm=0.5):
        self.model = model
        self.segment = segment
        self.max_norm = max_norm
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)

    def segments(self, piece):
        for start in range(0, piece.size(1) - 1, self.segment):
            stop = min(start + self.segment, piece.size(1) - 1)
            yield piece[:, start:stop], piece[:, start + 1 : stop + 1]

    def train_piece(self, piece):
        predicted = piece.size(1) - 1
        memory, nats = None, 0.0
        for notes, following in self.segments(piece):
            logits, memory = self.model(notes, memory)
            memory = memory.detach()
            loss = F.cross_entropy(logits.transpose(1, 2), following)
            share = following.size(1) / predicted
            (loss * share).backward()
            nats += loss.item() * share
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return nats

    def fit(self, pieces, passes=20):
        for n in range(passes):
            self.model.train()
            nats = [self.train_piece(piece) for piece in pieces]
            print(f"pass {n}: {sum(nats) / len(nats):.4f} nats per note")
