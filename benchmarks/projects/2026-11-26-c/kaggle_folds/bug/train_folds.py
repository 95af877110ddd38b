from dataset import *
from engine import *
from model import Net

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train_loop(x, y, folds, fold):
    train_loader, valid_loader, valid_y = get_loaders(x, y, folds, fold)
    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, T_max=steps_per_epoch(train_loader) * CFG.epochs, eta_min=CFG.min_lr)
    criterion = torch.nn.SmoothL1Loss()

    best_score, best_preds = np.inf, None
    optimizer.zero_grad()
    for epoch in range(CFG.epochs):
        avg_loss = train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler, device)
        model.eval()
        preds = predict(model, valid_loader, device)
        score = get_score(valid_y, preds)
        print(f"fold {fold} epoch {epoch} loss {avg_loss:.4f} rmse {score:.4f}")
        if score < best_score:
            best_score, best_preds = score, preds
    return best_score, best_preds


if __name__ == "__main__":
    seed_everything(CFG.seed)
    x, y = load_train()
    folds = make_folds(len(x), CFG.n_fold, CFG.seed)
    oof = np.full(len(x), np.nan)
    for fold in CFG.trn_fold:
        score, oof[folds == fold] = train_loop(x, y, folds, fold)
    done = ~np.isnan(oof)
    print("CV", get_score(y[done], oof[done]))
