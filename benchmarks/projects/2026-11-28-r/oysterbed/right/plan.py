class Plan:
    """What the season should look like."""

    seed = 9
    lr = 0.03
    seasons = 3
    baskets = 20  # micro-batches of a season
    tide = 8  # micro-batches of an update
    share = tide
