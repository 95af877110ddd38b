from torch.nn import functional as F


def objective(model, recipe, colour, settings):
    predicted = model(recipe)
    ridge = sum(p.pow(2).mean() for p in model.parameters() if p.requires_grad)
    loss = F.smooth_l1_loss(predicted, colour) + settings.ridge * ridge
    return loss / settings.window
