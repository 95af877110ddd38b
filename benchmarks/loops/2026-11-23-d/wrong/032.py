import torch
import torch.nn as nn

iris = torch.randn(150, 4)
species = iris[:, :3].argmax(dim=1)

model = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

n_epochs, batch_size = 3, 15
for epoch in range(n_epochs):
    order = torch.randperm(150)
    correct = 0
    for b in range(0, 150, batch_size):
        idx = order[b : b + batch_size]
        optimizer.zero_grad
        out = model(iris[idx])
        loss = criterion(out, species[idx])
        loss.backward()
        optimizer.step()
        correct += (out.argmax(1) == species[idx]).sum().item()
    print(f"Epoch {epoch + 1}/{n_epochs} accuracy {correct / 150:.2%}")
