import torch


class PinballLoss:
    def __init__(self, quantiles, share=1.0):
        self.quantiles = torch.tensor(quantiles)
        self.share = share

    def __call__(self, forecast, truth):
        error = truth.unsqueeze(-1) - forecast
        loss = torch.maximum(self.quantiles * error, (self.quantiles - 1) * error)
        return loss.mean() * self.share
