import torch.nn as nn

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "lrelu": nn.LeakyReLU}


class MLP(nn.Module):
    def __init__(self, in_dim, dims, out_dim, nonlin="relu", dropout=0.2):
        super().__init__()
        layers = []
        for d in dims:
            layers += [nn.Linear(in_dim, d), ACTIVATIONS[nonlin](), nn.Dropout(dropout)]
            in_dim = d
        layers.append(nn.Linear(in_dim, out_dim))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x.flatten(1))
