class CFG:
    seed = 42
    n_fold = 3
    trn_fold = [0, 1]
    epochs = 2
    batch_size = 8
    accum = 4
    lr = 2e-2
    min_lr = 1e-4
    max_grad_norm = 10.0
    n_features = 12
    hidden = 32
    n_rows = 108
    print_freq = 5
