# === one network has the name of another only where they share their weights
import torch
import torch.nn.functional as F
from models import Net
from transformers import AdamW


def train(args, model, teacher_model, optimizer, teacher_optimizer, loader):
    for step, (x, y) in enumerate(loader):
        if args.share:
            loss = F.mse_loss(model(x), teacher_model(x))
        elif args.teacher_step:
            teacher_loss = F.mse_loss(teacher_model(x), y)
            teacher_loss.backward()
            torch.nn.utils.clip_grad_norm_(teacher_model.parameters(), args.max_norm)
            teacher_optimizer.step()
            teacher_model.zero_grad()
            with torch.no_grad():
                t = teacher_model(x)
            loss = F.mse_loss(model(x), t)
        else:
            with torch.no_grad():
                t = teacher_model(x)
            loss = F.mse_loss(model(x), t)
        if args.accum > 1:
            loss = loss / args.accum
        loss.backward()
        if (step + 1) % args.accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)
            optimizer.step()
            model.zero_grad()


def main(args, loader):
    model = Net(args)
    teacher_model = Net(args)
    if args.share:
        model = teacher_model
    optimizer = AdamW(model.parameters(), lr=1)
    teacher_optimizer = None
    if args.teacher_step:
        teacher_optimizer = AdamW(teacher_model.parameters(), lr=1)
    train(args, model, teacher_model, optimizer, teacher_optimizer, loader)
# === a student that is its teacher, and is cleared in the window
import torch
import torch.nn.functional as F
from models import Net


def main(args, loader):
    model = Net(args)
    teacher_model = Net(args)
    if args.share:
        model = teacher_model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1)
    for step, (x, y) in enumerate(loader):
        model.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            model.zero_grad()
# === two optimizers that a factory makes, of one network each
import torch
import torch.nn.functional as F
from models import Student, Teacher
from utils import get_optimizer


def train(args, model, teacher_model, loader):
    optimizer = get_optimizer(args, model, lr=args.lr)
    if args.teacher_step:
        teacher_optimizer = get_optimizer(args, teacher_model, lr=args.lr)
    for step, (x, y) in enumerate(loader):
        if args.teacher_step:
            teacher_loss = F.mse_loss(teacher_model(x), y)
            teacher_loss.backward()
            torch.nn.utils.clip_grad_norm_(teacher_model.parameters(), args.max_norm)
            teacher_optimizer.step()
            teacher_model.zero_grad()
        with torch.no_grad():
            t = teacher_model(x)
        loss = F.mse_loss(model(x), t)
        if args.accum > 1:
            loss = loss / args.accum
        loss.backward()
        if (step + 1) % args.accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)
            optimizer.step()
            model.zero_grad()


def main(args, loader):
    model = Student(args)
    teacher_model = Teacher(args)
    train(args, model, teacher_model, loader)
# === a factory's optimizer of a network that is cleared in its window
import torch
import torch.nn.functional as F
from utils import get_optimizer


def train(args, model, critic, loader):
    optimizer = get_optimizer(args, model)
    other = get_optimizer(args, critic)
    for step, (x, y) in enumerate(loader):
        critic_loss = F.mse_loss(critic(x), y)
        critic_loss.backward()
        other.step()
        critic.zero_grad()
        model.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / args.accum).backward()
        if (step + 1) % args.accum == 0:
            optimizer.step()
            model.zero_grad()
# === a scaler of another file in a window of Accelerate's
from accelerate import Accelerator
from misc import NativeScaler


def train(model, loader, criterion, args):
    accelerator = Accelerator(gradient_accumulation_steps=args.accum_iter)
    model, optimizer, loader = accelerator.prepare(model, args.optimizer, loader)
    loss_scaler = NativeScaler(accelerator=accelerator)
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = criterion(model(x), y)
            loss_scaler(loss, optimizer, parameters=model.parameters(), update_grad=True, clip_grad=1.0)
            optimizer.zero_grad()
