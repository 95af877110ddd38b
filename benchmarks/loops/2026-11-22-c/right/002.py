import torch
from torch import nn
from torch.utils.data import DataLoader


@torch.no_grad()
def constrain_(layer, limit):
    norms = layer.weight.norm(dim=1, keepdim=True)
    layer.weight.mul_((limit / norms.clamp(min=1e-8)).clamp(max=1.0))


def train_classifier(encoder, classifier, dataset, epochs=25, max_weight_norm=3.0, max_grad_norm=5.0):
    loader = DataLoader(dataset, batch_size=50, shuffle=True)
    parameters = [*encoder.parameters(), *classifier.parameters()]
    optimizer = torch.optim.Adadelta(parameters, lr=1.0, rho=0.95)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        encoder.train()
        classifier.train()
        hits = 0
        for sentence, label in loader:
            logits = classifier(encoder(sentence))
            loss = criterion(logits, label)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, max_grad_norm)
            optimizer.step()
            constrain_(classifier, max_weight_norm)
            hits += (logits.argmax(1) == label).sum().item()
        print(f"epoch {epoch} accuracy {hits / len(dataset):.3f}")
    return encoder, classifier
