import torch

torch.manual_seed(0)
n = 100
x = torch.linspace(-1, 1, n).unsqueeze(1)
y = 3 * x - 0.5 + 0.1 * torch.randn(n, 1)

model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
loss_fn = torch.nn.MSELoss()

for epoch in range(30):
    y_hat = model(x)
    loss = loss_fn(y_hat, y)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        w, b = model.weight.item(), model.bias.item()
        print(f"epoch {epoch + 1}: loss={loss.item():.4f} w={w:.2f} b={b:.2f}")
