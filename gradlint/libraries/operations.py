"""Operations: what a library call is in the sandbox, the place where torch objects live.

The machine decides what is called; with a witness, the operation is carried out on real objects beside it, and torch's
or the library's own answer is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Operation(Enum):
    """What is done with real objects."""

    MAKE = "the object is made of its real class, or of the nearest one that is installed"
    WRAP = "the network is put into the real wrapper, on one process a rank"
    PREPARE = "the library's own method gets the real objects, and its results take their places"
    FORWARD = "the network is called; its loss is a tensor with a graph"
    BACKWARD = "the tensor's own `backward`, or the library's, adds to the parameters' gradients"
    ARITHMETIC = "torch computes with the tensors"
    ZERO = "the object's own `zero_grad` is called"
    WRITE = "the parameters' gradients are written to"
    CLIP = "the library's own clip gets the parameters' real gradients"
    SCALE = "the scaler multiplies the tensor by its real scale"
    UNSCALE = "the scaler divides the gradients of the optimizer, and looks for infinities"
    SCALED_STEP = "the scaler unscales, and decides whether the optimizer steps"
    ADAPT = "the scaler adapts its scale"
    STEP = "the optimizer steps, and what it was given is measured"
    PERTURB = "the optimizer moves the parameters away, and puts them back with its step"
    UPDATE = "the library's own method does all of a micro-batch, and decides whether to step"
    SCHEDULE = "the scheduler moves the rates of the optimizer"
    MODE = "the network's own `train` or `eval` is called"
    FREEZE = "the parameters' own `requires_grad_` is called"
    SYNC = "the wrapper is told whether to all-reduce"
    CONTEXT = "the context is entered before, and left behind, the statements of its body"
    AVERAGE = "the average takes in the parameters as they are"
    EPOCH = "the sampler is told the epoch"
    PARAMETERS = "the real parameters are handed out"
    COPY = "the object is copied, its parameters with it"
    BATCH = "the loader hands out its next batch"
    ASK = "the object's own answer is taken"


class Question(Enum):
    """What a library decides, or knows of the process, while it runs."""

    SYNCHRONISES = "whether Accelerate lets the optimizer step after the backward that follows"
    LAST_BATCH = "whether the loader has handed out its last batch"
    STEPPED = "whether the scaler has let the optimizer step"
    PROCESSES = "how many processes train together"
    RANK = "which of these this one is"
    LOCAL_RANK = "which of those on its machine this one is"
    IS_MAIN = "whether it is the first one"


_ASKED = {
    Question.SYNCHRONISES: "sync_gradients",
    Question.LAST_BATCH: "end_of_dataloader",
    Question.PROCESSES: "get_world_size world_size num_processes WORLD_SIZE",
    Question.RANK: "get_rank process_index global_rank RANK",
    Question.LOCAL_RANK: "local_process_index local_rank LOCAL_RANK",
    Question.IS_MAIN: "is_main_process is_local_main_process is_global_zero",
}

QUESTIONS: Mapping[str, Question] = {name: question for question, names in _ASKED.items() for name in names.split()}
"""By the names of the attributes and functions of libraries, and of the variables of the environment, that tell it."""
