def push_sparsity(encoder, frames, weight, half):
    with half.forward():
        codes = encoder(frames)
    penalty = weight * codes.float().abs().mean()
    penalty.backward()
    return penalty.item()
