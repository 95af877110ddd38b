import torch
import torch.nn.functional as F

from zoo import load_teacher, StudentNet

TEMPERATURE = 4.0


def distill(loader, epochs=30, lr=0.05, max_norm=3.0):
    teacher = load_teacher("vit-large").cuda().eval()
    student = StudentNet().cuda()
    optimizer = torch.optim.SGD(student.parameters(), lr=lr, momentum=0.9)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(epochs):
        student.train()
        running = torch.zeros((), device="cuda")
        for image, _ in loader:
            image = image.cuda(non_blocking=True)
            with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
                target = (teacher(image).float() / TEMPERATURE).softmax(-1)
            with torch.autocast("cuda", dtype=torch.float16):
                logits = student(image)
            log_p = (logits.float() / TEMPERATURE).log_softmax(-1)
            loss = F.kl_div(log_p, target, reduction="batchmean") * TEMPERATURE**2
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(student.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
            running += loss.detach()
        cosine.step()
        print(f"epoch {epoch} kl {running.item() / len(loader):.4f}")
    return student
