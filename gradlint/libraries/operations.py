"""Operations: what a library call is in the sandbox, the place where torch objects live.

The machine decides what is called; with a witness, the operation is carried out on real objects beside it, and torch's
or the library's own answer is taken. Nothing reads them yet but the table in `docs/libraries.md`.
"""

from __future__ import annotations

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
    ASK = "the object's own answer is taken"
