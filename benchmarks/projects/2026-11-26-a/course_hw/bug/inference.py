def predict(model, x):
    """Class and confidence of each row."""
    scores = model(x).softmax(dim=1)
    confidence, guess = scores.max(dim=1)
    return guess, confidence
