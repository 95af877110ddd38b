class CFG:
    seed = 42
    n_fold = 3
    trn_fold = [0, 1]
    rows = 132
    batch_size = 8
    epochs = 3
    gradient_accumulation_steps = 4
    lr = 1e-2
    min_lr = 1e-5
    features = 10
