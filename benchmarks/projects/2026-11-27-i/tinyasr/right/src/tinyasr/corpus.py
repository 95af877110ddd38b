import torch


def synthetic_utterances(n_batches, batch=4, frames=24, mels=10, vocab=6, seed=0):
    g = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(n_batches):
        tokens = torch.randint(1, vocab, (batch, 5), generator=g)
        out.append({
            "feats": torch.randn(batch, frames, mels, generator=g),
            "tokens": tokens,
            "feat_lens": torch.full((batch,), frames, dtype=torch.long),
            "token_lens": torch.full((batch,), 5, dtype=torch.long),
        })
    return out
