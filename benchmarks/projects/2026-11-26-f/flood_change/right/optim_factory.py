from torch.optim import SGD, AdamW


def optimizers(model, lr):
    return {
        "encoder": SGD(model.encoder.parameters(), lr=10 * lr, momentum=0.9),
        "decoder": AdamW(model.decoder.parameters(), lr=lr),
    }
