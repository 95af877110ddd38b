"""Stacks of contexts: what is entered, or put off, until they are left.

with ExitStack() as stack:
    stack.enter_context(model.no_sync())
    stack.callback(optimizer.zero_grad)       runs where the `with` ends, the last one first
"""

from __future__ import annotations

from gradlint.interpret.blocks import enter
from gradlint.interpret.calling import call_value
from gradlint.interpret.effects.use import Site
from gradlint.interpret.values import Context, Value

OF_STACKS = frozenset({"enter_context", "__enter__", "close", "__exit__", "callback", "pop_all"})
"""Methods that enter, put off or leave."""


def stacked(site: Site, stack: Context, name: str) -> Value:
    """Enter what a stack leaves again when it is closed; put off a call until then; close it; hand all to another."""
    entered = site.machine.contexts.entered
    if name in ("close", "__exit__"):
        entered[:] = [context for context in entered if context not in stack.entered]
        stack.entered.clear()
        stack.run_callbacks()
        return None
    if name == "callback":
        callee, *args = site.args or [None]
        put_off = site.given(args, site.keywords)
        stack.callbacks.append(lambda: call_value(put_off, callee))
        return callee
    if name == "pop_all":
        other = Context("stack", entered=[*stack.entered], callbacks=[*stack.callbacks])
        stack.entered.clear()
        stack.callbacks.clear()
        return other
    before = len(entered)
    value = enter(site.machine, site.args[0] if site.args else stack)
    stack.entered += entered[before:]
    return value
