"""Edits of whole statements: what goes along, what stays, and what is refused."""

from __future__ import annotations

import pytest

from fix.edits import at, done, refused
from gradlint.model.edits import Delete, Enclose, Enter, Insert, Leave, Move

LATE = """\
for x in loader:
    loss(x).backward()
    opt.step()
    # keep it small
    clip(params, 1.0)  # at most 1
    opt.zero_grad()
"""
BEFORE = Move((at("clip(params, 1.0)"),), at("opt.step()"))
AFTER = Move((at("clip(params, 1.0)"),), at("opt.step()"), after=True)


# Moves


def test_a_statement_moves_with_the_comments_that_are_its_own() -> None:
    assert (
        done(LATE, BEFORE)
        == """\
for x in loader:
    loss(x).backward()
    # keep it small
    clip(params, 1.0)  # at most 1
    opt.step()
    opt.zero_grad()
"""
    )


def test_it_goes_before_the_comment_of_its_new_neighbour() -> None:
    text = "# take it\nopt.step()  # now\n\nclip(params, 1.0)\n"
    assert done(text, BEFORE) == "clip(params, 1.0)\n# take it\nopt.step()  # now\n"


def test_it_goes_behind_the_comment_on_the_line_of_its_new_neighbour() -> None:
    text = "clip(params, 1.0)\nx = 1\nopt.step()  # now\ny = 2\n"
    assert done(text, AFTER) == "x = 1\nopt.step()  # now\nclip(params, 1.0)\ny = 2\n"


def test_the_first_lines_of_a_file_are_no_comment_of_its_first_statement() -> None:
    text = "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# take it\nopt.step()\nclip(params, 1.0)\n"
    head, rest = text[: text.index("# take")], text[text.index("# take") :].replace("clip(params, 1.0)\n", "")
    assert done(text, BEFORE) == f"{head}clip(params, 1.0)\n{rest}"
    assert done(text, Move((at("opt.step()"),), at("clip(params, 1.0)"), after=True)) == (
        f"{head}clip(params, 1.0)\n# take it\nopt.step()\n"
    )


def test_a_comment_apart_from_it_stays() -> None:
    text = "opt.step()\n# about the next lines\n\nclip(params, 1.0)\nlog()\n"
    assert done(text, BEFORE) == "clip(params, 1.0)\nopt.step()\n# about the next lines\n\nlog()\n"


def test_it_takes_the_margin_of_its_new_place() -> None:
    text = "for x in xs:\n\tloss(x).backward()\n\tclip(\n\t\tparams,\n\t\t1.0,\n\t)\n\tif ready:\n\t\topt.step()\n"
    clip = Move((at("clip(\n\t\tparams,\n\t\t1.0,\n\t)"),), at("opt.step()"))
    assert done(text, clip) == (
        "for x in xs:\n\tloss(x).backward()\n\tif ready:\n\t\tclip(\n\t\t\tparams,\n\t\t\t1.0,\n\t\t)\n\t\topt.step()\n"
    )


def test_the_inside_of_a_string_keeps_its_white_space() -> None:
    text = 'if ready:\n    opt.step()\n    clip("""a\n    b""")\nz()\n'
    moved = done(text, Move((at('clip("""a\n    b""")'),), at("z()")))
    assert moved == 'if ready:\n    opt.step()\nclip("""a\n    b""")\nz()\n'


def test_strings_side_by_side_are_indented() -> None:
    text = "if ready:\n    opt.step()\nlog(\n    'a'\n    f'b{c}'\n)\n"
    moved = done(text, Move((at("log(\n    'a'\n    f'b{c}'\n)"),), at("opt.step()")))
    assert moved == "if ready:\n    log(\n        'a'\n        f'b{c}'\n    )\n    opt.step()\n"


def test_a_string_that_is_continued_keeps_its_white_space() -> None:
    text = "if ready:\n    opt.step()\nlog('a\\\n    b')\n"
    moved = done(text, Move((at("log('a\\\n    b')"),), at("opt.step()")))
    assert moved == "if ready:\n    log('a\\\n    b')\n    opt.step()\n"


def test_a_continued_line_moves_whole() -> None:
    text = "if ready:\n    opt.step()\nclip(params, \\\n     1.0)\n"
    clip = at("clip(params, \\\n     1.0)")
    assert done(text, Move((clip,), at("opt.step()"))) == (
        "if ready:\n    clip(params, \\\n         1.0)\n    opt.step()\n"
    )


def test_a_type_comment_moves_along() -> None:
    text = "opt.step()\nnorm = clip(params, 1.0)  # type: Tensor\n"
    assert done(text, BEFORE) == "norm = clip(params, 1.0)  # type: Tensor\nopt.step()\n"


def test_several_move_in_their_own_order() -> None:
    text = "opt.step()\nx = 1\nscaler.unscale_(opt)\nclip(params, 1.0)\ny = 2\n"
    both = (at("clip(params, 1.0)"), at("scaler.unscale_(opt)"))
    assert done(text, Move(both, at("opt.step()"))) == (
        "scaler.unscale_(opt)\nclip(params, 1.0)\nopt.step()\nx = 1\ny = 2\n"
    )


GUARDED = """\
opt.step()
if max_norm:  # maybe
    clip(params, 1.0)
log()
"""


def test_an_if_around_nothing_else_goes_along() -> None:
    assert done(GUARDED, BEFORE) == "if max_norm:  # maybe\n    clip(params, 1.0)\nopt.step()\nlog()\n"


def test_an_if_stays_where_it_is_told_to() -> None:
    text = GUARDED.replace("    clip(params, 1.0)\n", "    note()\n    clip(params, 1.0)\n")
    alone = Move((at("clip(params, 1.0)"),), at("opt.step()"), whole=False)
    assert done(text, alone) == "clip(params, 1.0)\nopt.step()\nif max_norm:  # maybe\n    note()\nlog()\n"


def test_an_if_that_asks_what_the_new_place_has_asked_is_left_out() -> None:
    text = "if ready:\n    opt.step()\nif ready:\n    clip(params, 1.0)\n"
    assert done(text, BEFORE) == "if ready:\n    clip(params, 1.0)\n    opt.step()\n"


def test_a_guard_that_names_a_value_goes_along_with_it() -> None:
    text = "opt.step()\nif (limit := limits()):\n    clip(params, 1.0)\n"
    assert done(text, BEFORE) == "if (limit := limits()):\n    clip(params, 1.0)\nopt.step()\n"


def test_an_else_that_holds_nothing_more_goes_away() -> None:
    text = "opt.step()\nif a:\n    b()\nelse:\n    clip(params, 1.0)\n"
    alone = Move((at("clip(params, 1.0)"),), at("opt.step()"), whole=False)
    assert done(text, alone) == "clip(params, 1.0)\nopt.step()\nif a:\n    b()\n"


def test_the_end_of_a_suite() -> None:
    text = "for e in range(9):\n    sched.step()\n    for x in xs:\n        opt.step()\n    log()\nz()\n"
    last = Move((at("sched.step()"),), at("sched.step()"), last=True)
    assert (
        done(text, last)
        == "for e in range(9):\n    for x in xs:\n        opt.step()\n    log()\n    sched.step()\nz()\n"
    )


def test_the_end_of_a_suite_is_before_what_leaves_it() -> None:
    text = "def f():\n    sched.step()\n    opt.step()\n    return 1\n"
    last = Move((at("sched.step()"),), at("sched.step()"), last=True)
    assert done(text, last) == "def f():\n    opt.step()\n    sched.step()\n    return 1\n"


@pytest.mark.parametrize(
    "header",
    [
        "with a, b:",
        "with (a as x, b as y):",
        "async with a:",
        "async for i in b:",
        "while (n := more()):",
        "if x:  # why",
    ],
)
def test_into_a_block_of_any_kind(header: str) -> None:
    begin = f"async def f():\n    {header}\n        loss.backward()\n"
    text = f"{begin}        opt.step()\n    clip(params, 1.0)\n"
    assert done(text, BEFORE) == f"{begin}        clip(params, 1.0)\n        opt.step()\n"


def test_before_a_function_is_before_its_decorators() -> None:
    text = "@first\n@second(1)\ndef f():\n    pass\nclip(params, 1.0)\n"
    move = Move((at("clip(params, 1.0)"),), at("def f():\n    pass"))
    assert done(text, move) == "clip(params, 1.0)\n@first\n@second(1)\ndef f():\n    pass\n"


@pytest.mark.parametrize(
    ("crowded", "spread"),
    [
        ("opt.step(); clip(params, 1.0)\n", "clip(params, 1.0)\nopt.step()\n"),
        ("opt.step() ; clip(params, 1.0) ;  # both\n", "clip(params, 1.0)  # both\nopt.step()\n"),
        ("if a: opt.step(); clip(params, 1.0)\n", "if a:\n    clip(params, 1.0)\n    opt.step()\n"),
        ("if a: opt.step()\nclip(params, 1.0)\n", "if a:\n    clip(params, 1.0)\n    opt.step()\n"),
        (
            "if a:\n  opt.step()\nelse: b()\nclip(params, 1.0)\n",
            "if a:\n  clip(params, 1.0)\n  opt.step()\nelse: b()\n",
        ),
        ("with a, b: opt.step()  # x\nclip(params, 1.0)\n", "with a, b:\n    clip(params, 1.0)\n    opt.step()  # x\n"),
        ("while a: opt.step()\nclip(params, 1.0)\n", "while a:\n    clip(params, 1.0)\n    opt.step()\n"),
        ("opt.step()\nclip(params, 1.0);\nb()\n", "clip(params, 1.0)\nopt.step()\nb()\n"),
        ("a and opt.step()  # x\nclip(params, 1.0)\n", "if a:\n    clip(params, 1.0)\n    opt.step()  # x\n"),
        ("b(); a and opt.step()\nclip(params, 1.0)\n", "b()\nif a:\n    clip(params, 1.0)\n    opt.step()\n"),
        ("a > 1 or opt.step()\nclip(params, 1.0)\n", "if a <= 1:\n    clip(params, 1.0)\n    opt.step()\n"),
        (
            "(a or b) and (c or d) and opt.step()\nclip(params, 1.0)\n",
            "if a or b:\n    if c or d:\n        clip(params, 1.0)\n        opt.step()\n",
        ),
        (
            "a or (c and d) or opt.step()\nclip(params, 1.0)\n",
            "if not a:\n    if not c or not d:\n        clip(params, 1.0)\n        opt.step()\n",
        ),
        ("opt.step() if a else None\nclip(params, 1.0)\n", "if a:\n    clip(params, 1.0)\n    opt.step()\n"),
        (
            "(opt.step() if (a := c) else b())\nclip(params, 1.0)\n",
            "if (a := c):\n    clip(params, 1.0)\n    opt.step()\nelse:\n    b()\n",
        ),
    ],
)
def test_crowded_lines_are_spread_where_they_are_touched(crowded: str, spread: str) -> None:
    alone = Move((at("clip(params, 1.0)"),), at("opt.step()"), whole=False)
    untouched = "x = 1; y = 2\nif z: w()\n"
    assert done(untouched + crowded, alone) == untouched + spread


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("opt.step()\nif clip(params, 1.0) > 2:\n    log()\n", "it stands in the header of a statement"),
        ("clip(params, 1.0)\n", "it stands at its place already"),
        (
            "(a\n and [\n] and opt.step())\nclip(params, 1.0)\n",
            "an expression that stands for a guard takes several lines",
        ),
        (
            "norm = 1\nopt.step()\nnorm = norm + 1\nclip(params, 1.0, norm)\n",
            "it reads what is computed after the step",
        ),
        (
            "if a:\n    opt.step()\nelse:\n    b()\nx = clip(params, 1.0)\nlog(x)\n",
            "its result is read outside the guard",
        ),
        ("try:\n    clip(params, 1.0)\nfinally:\n    b()\nopt.step()\n", "nothing would be left in its block"),
        (
            "def f(params):\n    clip(params, 1.0)\ndef g():\n    opt.step()\n",
            "it stands in another function, with names that only that one knows",
        ),
        ("f = lambda: clip(params, 1.0)\nopt.step()\n", ""),
    ],
)
def test_a_move_that_would_change_more_is_refused(text: str, reason: str) -> None:
    piece = "clip(params, 1.0, norm)" if "1.0, norm" in text else "clip(params, 1.0)"
    to = "opt.step()" if "opt.step()" in text else piece
    move = Move((at(piece),), at(to), whole=False)
    if not reason:
        assert done(text, move)
        return
    assert reason in refused(text, move)


def test_a_loop_over_optimizers_is_one_step() -> None:
    text = "for opt in opts:\n    opt.step()\nclip(params, 1.0)\n"
    assert done(text, BEFORE) == "clip(params, 1.0)\nfor opt in opts:\n    opt.step()\n"


def test_a_result_moves_before_whatever_reads_it() -> None:
    text = "norm = clip(params, 1.0)\nx = 1\nlog(norm)\nopt.step()\n"
    assert done(text, BEFORE) == "x = 1\nnorm = clip(params, 1.0)\nlog(norm)\nopt.step()\n"


def test_a_result_that_is_read_on_the_way_into_a_guard_stays() -> None:
    text = "norm = clip(params, 1.0)\nlog(norm)\nif ready:\n    opt.step()\n"
    assert refused(text, BEFORE) == "its result is used before the step"


# Insertions


NEST = """\
def train():
    for epoch in range(9):
        # one epoch
        for x in loader:
            loss(x).backward()
            opt.step()  # spend
        log()
"""


@pytest.mark.parametrize(
    ("where", "row", "line"),
    [
        ("before", 6, "            new()"),
        ("after", 7, "            new()"),
        ("end", 7, "            new()"),
        ("loop", 5, "            new()"),
        ("epoch", 3, "        new()"),
        ("before loop", 3, "        new()"),
    ],
)
def test_places_of_an_insertion(where: str, row: int, line: str) -> None:
    text = NEST.replace("def train():", "def train(new):")
    lines = text.splitlines()
    lines.insert(row - 1, line)
    assert done(text, Insert("new()", at("opt.step()"), where)).splitlines() == lines


def test_first_in_the_loop_at_a_place() -> None:
    loop = NEST[NEST.index("for epoch") :].rstrip("\n")
    after = done(NEST, Insert("print({target})", at(loop), "first"))
    assert after.splitlines()[1:4] == ["    for epoch in range(9):", "        print(epoch)", "        # one epoch"]


def test_a_loop_variable_that_is_thrown_away_gets_a_name() -> None:
    text = NEST.replace("for epoch in", "for _ in")
    loop = text[text.index("for _") :].rstrip("\n")
    after = done(text, Insert("print({target})", at(loop), "first"))
    assert after.splitlines()[1:3] == ["    for epoch in range(9):", "        print(epoch)"]


def test_several_lines_are_indented_as_the_file_is() -> None:
    text = "def f():\n  if a:\n    opt.step()\n"
    after = done(text, Insert("if a:\n{unit}print(a)", at("opt.step()"), "after"))
    assert after == "def f():\n  if a:\n    opt.step()\n    if a:\n      print(a)\n"


def test_nothing_is_put_before_an_elif() -> None:
    text = "if a:\n    b()\nelif opt.step():\n    c()\n"
    assert done(text, Insert("print(1)", at("opt.step()"))).startswith("print(1)\nif a:\n")


@pytest.mark.parametrize(
    ("text", "edit", "reason"),
    [
        ("opt.step()\n", Insert("scaler.update()", at("opt.step()")), "`scaler` is not at hand there"),
        ("opt.step()\n", Insert("print()", at("opt.step()"), "loop"), "there is no loop to put it into"),
        (
            "for x in xs:\n    def f():\n        opt.step()\n",
            Insert("print()", at("opt.step()"), "before loop"),
            "there is no loop to put it into",
        ),
        (
            "def f():\n    scaler = 1\ndef g():\n    opt.step()\n",
            Insert("scaler.update()", at("opt.step()")),
            "`scaler` is not at hand there",
        ),
    ],
)
def test_an_insertion_that_nothing_there_knows_is_refused(text: str, edit: Insert, reason: str) -> None:
    assert refused(text, edit) == reason


def test_a_file_that_ends_in_its_last_line() -> None:
    text = "print(1)\nopt.step()"
    assert done(text, Insert("print(2)", at("opt.step()"), "after")) == "print(1)\nopt.step()\nprint(2)"


# Deletions


def test_a_statement_goes_with_its_comments() -> None:
    text = "a()\n# why\nb()  # how\nc()\n"
    assert done(text, Delete(at("b()"))) == "a()\nc()\n"


def test_one_of_two_blank_lines_goes_along() -> None:
    assert done("a()\n\nb()\n\nc()\n", Delete(at("b()"))) == "a()\n\nc()\n"


def test_a_guard_of_nothing_goes_along() -> None:
    assert done("if a:\n    b()\nc()\n", Delete(at("b()"))) == "c()\n"


@pytest.mark.parametrize(
    "header", ["if f():", "if (n := 1):", "for a in b:", "while a:", "with a, b:", "def g():", "try:"]
)
def test_a_block_is_never_left_empty(header: str) -> None:
    text = f"{header}\n    b()\n" + "finally:\n    c()\n" * (header == "try:")
    assert refused(text, Delete(at("b()"))) == "nothing would be left in its block"


def test_one_of_two_on_a_line() -> None:
    assert done("a(); b()\nc(); d()\n", Delete(at("b()"))) == "a()\nc(); d()\n"


def test_a_condition_is_no_statement() -> None:
    assert refused("if b():\n    c()\n", Delete(at("b()"))) == "it stands in the header of a statement"


# Under a header, out of a `with`, and into one


def test_statements_under_a_header() -> None:
    text = "a()\n# first\nb()\n\nc()  # last\nd()\n"
    edit = Enclose(at("b()"), at("c()"), "if ready:")
    assert done(text, edit) == "a()\nif ready:\n    # first\n    b()\n\n    c()  # last\nd()\n"


def test_a_header_goes_around_the_whole_of_a_compound_statement() -> None:
    text = "if x:\n  b()\nelse:\n  c()\nd()\n"
    assert done(text, Enclose(at("b()"), at("d()"), "with y:")) == (
        "with y:\n  if x:\n    b()\n  else:\n    c()\n  d()\n"
    )


def test_no_header_reaches_over_functions() -> None:
    text = "def f():\n    b()\nc()\n"
    assert refused(text, Enclose(at("b()"), at("c()"), "if x:")) == "forward and backward stand in different functions"


CAST = """\
with autocast() as o:
    loss = model(x)
    # now back
    loss.backward()
    log(loss)
z()
"""


def test_out_of_a_with_and_all_that_follows() -> None:
    assert (
        done(CAST, Leave(at("loss.backward()")))
        == """\
with autocast() as o:
    loss = model(x)
# now back
loss.backward()
log(loss)
z()
"""
    )


@pytest.mark.parametrize(
    ("header", "outer"),
    [
        ("stream, autocast() as o", "stream"),
        ("noise(net, 0.1) as net, stream, autocast() as o", "noise(net, 0.1) as net, stream"),
        ("(\n    stream,\n    autocast() as o,\n)", "stream"),
    ],
)
def test_the_last_of_several_contexts_gets_a_with_of_its_own(header: str, outer: str) -> None:
    assert (
        done(CAST.replace("autocast() as o", header), Leave(at("loss.backward()")))
        == f"""\
with {outer}:
    with autocast() as o:
        loss = model(x)
    # now back
    loss.backward()
    log(loss)
z()
"""
    )


def test_a_comment_in_the_header_of_a_with_is_not_torn_off() -> None:
    text = CAST.replace("autocast() as o:", "stream, autocast():  # both")
    assert refused(text, Leave(at("loss.backward()"))) == "a comment stands in the header of the `with`"


BACKS = """\
with autocast():
    a = model(x)
    # first
    a.backward()

    # again
    {between}
    b.backward()
    step()
z()
"""


def test_several_backwards_leave_a_with_together() -> None:
    text = BACKS.format(between="log(a.item())")
    out = text.replace("    # first\n    a", "# first\na").replace("    # again\n    log", "# again\nlog")
    out = out.replace("    b.backward()\n    step()", "b.backward()\nstep()")
    for piece in ("a.backward()", "b.backward()"):
        assert done(text, Leave(at(piece), (at("a.backward()"), at("b.backward()")))) == out
        assert done(text, Leave(at(piece), (at(piece),))) == out  # the other one may run in another world


@pytest.mark.parametrize(
    "stays",
    [
        "enqueue(model(x))",
        "meter.update(a, y)",
        "model.enqueue()",
        "hits += f(a).item()",
        "print(a @ y)",
        "if step % 10 == 0:\n        show(a)",
    ],
)
def test_what_may_compute_behind_a_backward_stays_in_the_with(stays: str) -> None:
    text = f"with autocast():\n    a = model(x)\n    a.backward()\n    step()\n    {stays}\n    opt.step()\nz()\n"
    head, again = "with autocast():\n    a = model(x)\na.backward()\nstep()\n", "with autocast():\n    "
    out = f"{head}{again}{stays}\nopt.step()\nz()\n"
    assert done(text, Leave(at("a.backward()"), (at("a.backward()"),))) == out
    held = text.replace("autocast()", "scope")
    assert refused(held, Leave(at("a.backward()"), (at("a.backward()"),))) == (
        "what the `with` opens may be open once only"
    )


@pytest.mark.parametrize(
    "leaves",
    [
        "losses.append(a.item())",
        "meter.update(a.item(), len(x))",
        "meter.update(a.item() * len(x), x.size(0))",
        "total += a.detach() * 2",
        "print(f'{a.item():.3f}')",
        "log({'loss': a.item(), 'rate': plan.get_last_lr()[0]})",
        "norm = clip_grad_norm_(model.parameters(), 1.0)",
        "if step % 10 == 0:\n        opt.step()\n        opt.zero_grad()",
        "del a",
    ],
)
def test_what_only_takes_numbers_leaves_a_with_beside_the_backward(leaves: str) -> None:
    text = f"with autocast():\n    a = model(x)\n    a.backward()\n    {leaves}\n    scaler.update()\nz()\n"
    body = leaves.replace("\n    ", "\n")
    out = f"with autocast():\n    a = model(x)\na.backward()\n{body}\nscaler.update()\nz()\n"
    assert done(text, Leave(at("a.backward()"), (at("a.backward()"),))) == out


def test_a_with_is_opened_again_for_what_comes_between() -> None:
    text = BACKS.format(between="b = model(y)")
    out = text.replace("    # first\n    a", "# first\na").replace("    # again", "with autocast():\n    # again")
    out = out.replace("    b.backward()\n    step()", "b.backward()\nstep()")
    for piece in ("a.backward()", "b.backward()"):
        assert done(text, Leave(at(piece), (at(piece),), split=True)) == out


@pytest.mark.parametrize(
    ("text", "split", "reason"),
    [
        (BACKS.format(between="b = model(y)"), False, "what is gone back from is computed behind another backward"),
        (BACKS.format(between="b.add_(f(y))"), False, "what is gone back from is computed behind another backward"),
        (BACKS.format(between="a.backward()"), True, "nothing comes between the backwards"),
        (
            BACKS.format(between="b = f()").replace("autocast()", "scope"),
            True,
            "what the `with` opens may be open once only",
        ),
        (
            BACKS.format(between="b = f()").replace("autocast()", "autocast() as cast"),
            True,
            "what the `with` opens may be open once only",
        ),
        (
            BACKS.format(between="if c:\n        d = f()\n        d.backward()"),
            False,
            "another backward in the `with` stands deeper",
        ),
    ],
)
def test_several_backwards_that_cannot_leave_a_with(text: str, split: bool, reason: str) -> None:
    assert refused(text, Leave(at("b.backward()"), (at("b.backward()"),), split)) == reason


GOES = "with autocast():\n    a = model(x)\n    {back}\nz()\n"
HELPER = "def go(a):\n    {body}\n    a.backward()\n\n\nwith autocast():\n    a = model(x)\n    go(a)\nz()\n"


@pytest.mark.parametrize(
    "back",
    [
        "loss_fn(a, y).backward()",
        "scaler.scale(loss_fn(a, y) / 2).backward()",
        "accelerator.backward(loss_fn(a, y))",
        "(a @ y).backward()",
        "a.softmax(-1).max().backward()",
        "loss = loss_fn(a, y).backward()",
    ],
)
def test_what_computes_the_loss_in_the_same_statement_stays_in_the_with(back: str) -> None:
    text = GOES.format(back=back)
    for split in (False, True):
        edit = Leave(at(back.removeprefix("loss = ")), (at(back.removeprefix("loss = ")),), split)
        assert refused(text, edit) == "something is computed in the same statement"


@pytest.mark.parametrize(
    "back", ["a.mean().backward()", "scaler.scale(a / 2).backward()", "(a + 0.1 * b).backward()", "go(a, optimizer)"]
)
def test_what_only_weighs_the_loss_leaves_a_with_beside_the_backward(back: str) -> None:
    text = GOES.format(back=back)
    out = f"with autocast():\n    a = model(x)\n{back}\nz()\n"
    assert done(text, Leave(at(back), (at(back),))) == out


def test_a_call_that_leads_to_a_backward_takes_nothing_with_it_that_computes() -> None:
    text = HELPER.format(body="a = loss_fn(a)")
    edit = Leave(at("go(a)", 1), (at("go(a)", 1), at("a.backward()")), inner=(at("a.backward()"),))
    assert refused(text, edit) == "something is computed in the same statement"
    text = HELPER.format(body="opt.zero_grad()")
    assert done(text, edit) == text.replace("    go(a)", "go(a)")


@pytest.mark.parametrize(
    ("text", "piece", "reason"),
    [
        (CAST, "loss = model(x)", "nothing would be left in the `with`"),
        ("with a:\n    b()\n    if c:\n        d()\n", "d()", "the backward stands deeper than the `with`"),
        ("a()\n", "a()", "the backward stands deeper than the `with`"),
        (
            CAST.replace("autocast() as o", "autocast(), stream"),
            "loss.backward()",
            "the `with` opens something else as well",
        ),
    ],
)
def test_what_cannot_leave_a_with(text: str, piece: str, reason: str) -> None:
    assert refused(text, Leave(at(piece))) == reason


SPLIT = """\
out = model(x)
# the loss
loss = f(out)
with model.no_sync():
    # quiet
    loss.backward()
"""


def test_into_a_with() -> None:
    assert (
        done(SPLIT, Enter(at("out = model(x)"), at("loss.backward()")))
        == """\
with model.no_sync():
    out = model(x)
    # the loss
    loss = f(out)
    # quiet
    loss.backward()
"""
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("out = model(x)\nloss.backward()\n", "the backward stands in no `with` of the same function"),
        ("out = model(x)\nwith f(out):\n    loss.backward()\n", "the `with` reads what the forward computes"),
        (
            "def f():\n    out = model(x)\ndef g():\n    with a:\n        loss.backward()\n",
            "the backward stands in no `with` of the same function",
        ),
    ],
)
def test_what_cannot_enter_a_with(text: str, reason: str) -> None:
    assert refused(text, Enter(at("out = model(x)"), at("loss.backward()"))) == reason


# What stands for a statement of another place

PARTS = """\
for part in parts:
    loss(part).backward()
    clip(params, limit)
opt.step()
"""


BEHIND = (
    Delete(at("clip(params, limit)")),
    Insert("clip(params, limit)", at("loss(part)"), "after loop", of=at("loss(part)")),
)


def test_a_statement_stands_behind_its_loop() -> None:
    clip = "clip(params, limit)\n"
    assert done(PARTS, *BEHIND) == PARTS.replace(f"    {clip}", "").replace("opt", f"{clip}opt")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("    limit = limit / 2\n", "what it reads changes on the way"),
        ("    params, rest = rest, params\n", "what it reads changes on the way"),
        ("    if last(part):\n        raise StopIteration\n", "the loop may be left without it"),
    ],
)
def test_it_does_not_where_it_would_be_another_one(line: str, reason: str) -> None:
    text = PARTS.replace("opt.step()", f"{line}opt.step()")
    assert reason in refused(text, *BEHIND)


# What is moved reads what is only made on the way

MADE = """\
def update(net, opt, x, turn):
    loss(net, x).backward()
    opt.step()
    note(net)
    # loose at first
    limit = START * KEEP**turn
    norm = clip(net, limit)
    return norm, limit
"""
CLIP_MADE = Move((at("norm = clip(net, limit)"),), at("opt.step()"))


def test_a_number_goes_along_with_what_reads_it() -> None:
    assert (
        done(MADE, CLIP_MADE)
        == """\
def update(net, opt, x, turn):
    loss(net, x).backward()
    # loose at first
    limit = START * KEEP**turn
    norm = clip(net, limit)
    opt.step()
    note(net)
    return norm, limit
"""
    )


def test_a_chain_of_numbers_goes_along() -> None:
    text = MADE.replace("    limit =", "    share = turn / 9\n    other = 1\n    limit =").replace("**turn", "**share")
    moved = done(text, CLIP_MADE)
    assert moved.index("share = ") < moved.index("limit = ") < moved.index("opt.step()") < moved.index("other = 1")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("START * KEEP**turn", "norm_of(net)"),
        ("START * KEEP**turn", "net.limit * 2"),
        ("START * KEEP**turn", "limits[turn]"),
        ("note(net)", "note(net, turn)"),
        ("note(net)", "turn += 1"),
        ("note(net)", "limit = note(net)"),
        ("    opt.step()", "    limit = 3\n    opt.step()\n    note(limit)"),
        ("def update", "def bump():\n    global KEEP\n    KEEP = KEEP / 2\n\n\ndef update"),
        ("def update", "KEEP = torch.nn.Parameter(start)\n\n\ndef update"),
        ("    # loose at first\n    limit =", "    if turn:\n        limit ="),
    ],
)
def test_what_may_be_another_number_there_stays(old: str, new: str) -> None:
    text = MADE.replace(old, new)
    assert text != MADE
    assert refused(text, CLIP_MADE) == "it reads what is computed after the step"


MEDIAN = """\
import statistics


def run(net, opt, loader):
    sizes = [1.0]
    for x in loader:
        loss(net, x).backward()
        opt.step()
        note(net)
        limit = 0.7 * statistics.median(sizes[-5:])
        norm = clip(net, limit)
        sizes.append(norm.item())
    return sizes
"""


def test_what_is_computed_of_a_list_of_numbers_goes_along() -> None:
    lines = "        limit = 0.7 * statistics.median(sizes[-5:])\n        norm = clip(net, limit)\n"
    steps = "        opt.step()\n        note(net)\n"
    assert done(MEDIAN, CLIP_MADE) == MEDIAN.replace(lines, "").replace(steps, lines + steps)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("statistics.median(sizes[-5:])", "statistics.median(norms_of(net))"),
        ("import statistics", "import tools as statistics"),
        ("norm.item()", "norm"),
        ("[1.0]", "start_of(net)"),
        ("note(net)", "note(net, sizes)"),
        ("    for x in loader", "    watch(net, sizes)\n    for x in loader"),
        ("    for x in loader", "    hook = lambda: sizes.append(1.0)\n    for x in loader"),
        ("    for x in loader", "    same = sizes\n    for x in loader"),
        ("sizes[-5:]", "sizes[-5:], key=weigh"),
    ],
)
def test_what_may_be_another_list_there_stays(old: str, new: str) -> None:
    text = MEDIAN.replace(old, new)
    assert text != MEDIAN
    assert refused(text, CLIP_MADE) == "it reads what is computed after the step"


CAPPED = """\
def cap(done, total, high=2.0):
    return max(0.2, high * (1 - done / total))


class Fit:
    def __init__(self, net, opt, tell):
        self.net, self.opt, self.tell = net, opt, tell
        self.done = 0

    def run(self, loader, total):
        for x in loader:
            loss(self.net, x).backward()
            self.opt.step()
            self.tell(self.net)
            limit = cap(self.done, total)
            norm = clip(self.net, limit)
            self.done += 1

    def later(self, net):
        self.done += 1
"""

CAPPED_CLIP = Move((at("norm = clip(self.net, limit)"),), at("self.opt.step()"), after=False)


def test_what_a_function_of_the_file_makes_of_counted_numbers_goes_along() -> None:
    lines = "            limit = cap(self.done, total)\n            norm = clip(self.net, limit)\n"
    steps = "            self.opt.step()\n            self.tell(self.net)\n"
    assert done(CAPPED, CAPPED_CLIP) == CAPPED.replace(lines, "").replace(steps, lines + steps)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.tell(self.net)", "self.later(self.net)"),  # counts on
        ("self.tell(self.net)", "self.tell(self)"),
        ("self.tell(self.net)", "self.done += 1"),
        ("self.done = 0", "self.done = start_of(net)"),
        ("done += 1\n\n", "done += len(x)\n\n"),
        ("self.done, total)\n            norm", "self.net.scale, total)\n            norm"),
        ("self.done, total)\n            norm", "self.rate, total)\n            norm"),  # nobody sees what it is
        ("def later", "@property\n    def done"),
        ("    return max(0.2, ", "    return drawn(0.2, "),
        ("    return max(0.2, ", "    TAKEN.append(done)\n    return max(0.2, "),
        ("high * (1", "FACTORS[0] * (1"),
        ("def cap", "@cached\ndef cap"),
        ("class Fit", "cap = other(cap)\n\n\nclass Fit"),
    ],
)
def test_what_may_count_otherwise_there_stays(old: str, new: str) -> None:
    text = CAPPED.replace(old, new)
    assert text != CAPPED
    assert refused(text, CAPPED_CLIP) == "it reads what is computed after the step"


# For each turn of a loop further down

IN_TURN = """\
def finish(scaler, opts, weights):
    clip(weights, 1.0)
    for opt in opts:
        scaler.step(opt)
    scaler.update()
"""
EACH = Insert("scaler.unscale_(opt)", at("clip(weights, 1.0)"), each=at("scaler.step(opt)"))


def test_what_is_meant_for_each_gets_a_loop_of_its_own() -> None:
    assert done(IN_TURN, EACH) == IN_TURN.replace(
        "    clip", "    for opt in opts:\n        scaler.unscale_(opt)\n    clip"
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("in opts:", "in iter(opts):", "what is stepped in turn may be had but once"),
        ("    for", "    opts = opts[::-1]\n    for", "what is stepped in turn is another thing there"),
        ("for opt in opts:", "while opts:", "what is stepped in turn is not at hand there"),
        (
            "        scaler.step",
            "        if due(opt):\n            scaler.step",
            "not all of them may be stepped each time",
        ),
        (
            "        scaler.step",
            "        if late(opt):\n            continue\n        scaler.step",
            "not all of them may be stepped each time",
        ),
        ("scaler.update()", "note(opt)", "the loop's own name has another use, too"),
        ("    scaler.update()", "def flush(scaler):\n    scaler.update()", ""),
    ],
)
def test_a_loop_that_would_turn_another_way_is_not_said_again(old: str, new: str, reason: str) -> None:
    text = IN_TURN.replace(old, new)
    assert text != IN_TURN
    assert refused(text, EACH) == reason if reason else done(text, EACH).count("for opt in opts") == 2
