import torch
from torch import nn

torch.manual_seed(0)


class TreeNode:
    def __init__(self, value=None, left=None, right=None):
        self.value, self.left, self.right = value, left, right


def random_tree(depth):
    if depth == 0 or torch.rand(()) < 0.25:
        return TreeNode(value=int(torch.randint(-3, 4, ())))
    return TreeNode(left=random_tree(depth - 1), right=random_tree(depth - 1))


def tree_sum(node):
    return node.value if node.value is not None else tree_sum(node.left) + tree_sum(node.right)


class TreeNet(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.leaf = nn.Embedding(7, d)
        self.compose = nn.Linear(2 * d, d)
        self.out = nn.Linear(d, 1)

    def encode(self, node):
        if node.value is not None:
            return self.leaf.weight[node.value + 3]
        return torch.tanh(self.compose(torch.cat([self.encode(node.left), self.encode(node.right)])))

    def forward(self, node):
        return self.out(self.encode(node)).squeeze()


model = TreeNet()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
TREES_PER_UPDATE = 8

losses = []
history = []
for i in range(160):
    tree = random_tree(3)
    losses.append((model(tree) - float(tree_sum(tree))).abs())
    if len(losses) == TREES_PER_UPDATE:
        loss = torch.stack(losses).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.clear()
        history.append(loss.item())

for k in range(0, len(history), 5):
    print(f"updates {k}-{k + 4}: {sum(history[k:k + 5]) / 5:.3f}")
