import torch


class Scoring:
    @torch.no_grad()
    def score(self, graph, mask):
        self.net.eval()
        guess = self.net(graph.x, graph.adj).argmax(1)
        return (guess[mask] == graph.y[mask]).float().mean().item()
