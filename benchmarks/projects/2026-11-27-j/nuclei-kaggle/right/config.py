class CFG:
    seed = 2023
    img = 24
    epochs = 3
    bs = 4
    n_accumulate = 4
    lr = 3e-3
    wd = 1e-6
    folds = 5
    fold = 0
