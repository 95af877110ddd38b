"""Opacus: batches in parts, where the whole would not fit."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call
from gradlint.model.effects import Action

OPACUS = Library(
    "Opacus",
    "https://opacus.ai/api/batch_memory_manager.html",
    (call("*.BatchMemoryManager", Action.VIRTUAL_BATCHES, None, Operation.CONTEXT),),
)
