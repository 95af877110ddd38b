class CFG:
    debug = False
    seed = 42
    n_fold = 3
    trn_fold = [0, 1]
    epochs = 3
    batch_size = 15
    gradient_accumulation_steps = 2
    lr = 1e-2
    min_lr = 1e-4
    max_grad_norm = 1000
    n_features = 10
    print_freq = 3
    apex = False
