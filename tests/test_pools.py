"""The Python API in threads and in processes."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import gradlint
from fixtures import FIXTURES
from gradlint.check.judge import deep
from gradlint.syntax.quiet import quiet

DEEP = f"total = {' + '.join(['x'] * 900)}\n"
"""A sum that takes more than Python's usual recursion limit to walk."""

TEXTS = [
    DEEP + (FIXTURES / name / "buggy.py").read_text(encoding="utf-8")
    for name in ("clip-after-step", "unscaled-accumulation-loss", "missing-zero-grad")
]


def test_threads_find_what_one_finds() -> None:
    alone = [gradlint.check_source(text) for text in TEXTS]
    assert all(alone)
    before = sys.getrecursionlimit(), list(warnings.filters)
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(gradlint.check_source, TEXTS * 4))
    assert together == alone * 4
    assert (sys.getrecursionlimit(), list(warnings.filters)) == before


def test_threads_that_change_at_every_moment_find_the_same() -> None:
    """Programs are shared and lowered when first asked for; two threads at once would spoil them."""
    alone = [gradlint.check_source(text) for text in TEXTS]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(3):
            with ThreadPoolExecutor(6) as pool:
                assert list(pool.map(gradlint.check_source, TEXTS * 4)) == alone * 4
    finally:
        sys.setswitchinterval(before)


def test_threads_repair_what_one_repairs() -> None:
    alone = [gradlint.fix_source(text) for text in TEXTS]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(gradlint.fix_source, TEXTS)) == alone


def test_processes_find_and_repair_what_one_does() -> None:
    """With `spawn`, which starts from nothing: what a call needs must all be in it."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(gradlint.check_source, TEXTS)) == [gradlint.check_source(text) for text in TEXTS]
        assert pool.submit(gradlint.fix_source, TEXTS[0]).result() == gradlint.fix_source(TEXTS[0])


def test_a_thread_that_goes_leaves_the_limit_to_those_that_stay() -> None:
    before = sys.getrecursionlimit()
    came, left = threading.Event(), threading.Event()
    seen: list[int] = []

    def stay() -> None:
        with deep():
            came.set()
            left.wait(60)
            seen.append(sys.getrecursionlimit())

    with deep():
        inside = sys.getrecursionlimit()
        thread = threading.Thread(target=stay)
        thread.start()
        came.wait(60)
    left.set()
    thread.join()
    assert inside > before
    assert seen == [inside]
    assert sys.getrecursionlimit() == before


def test_warnings_are_switched_off_by_one_thread_at_a_time() -> None:
    before = list(warnings.filters)
    came, went = threading.Event(), threading.Event()

    def second() -> None:
        came.set()
        with quiet():
            went.set()

    thread = threading.Thread(target=second)
    with quiet():
        thread.start()
        came.wait(60)
        assert not went.wait(0.2)
    thread.join()
    assert went.is_set()
    assert list(warnings.filters) == before
