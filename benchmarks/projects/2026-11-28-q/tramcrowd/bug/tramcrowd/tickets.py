from torch.nn import functional as F


def control(tram, stops):
    tram.eval()
    late = 0.0
    for riders, minutes in stops:
        late += F.l1_loss(tram(riders), minutes).item()
    return late / len(stops)
