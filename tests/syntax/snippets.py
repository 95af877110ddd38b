"""Every construct of Python's grammar, and the newer ones by the version that brought them."""

from __future__ import annotations

EXPRESSIONS = r"""
a
None
True
...
0
1_000
0x_ff
0o17
0b1
1.5e-3
.5
2.
3j
''
'a\'b\n\x41\N{BULLET}'
r'\d'
b'\xff'
Rb"\xff"
u'text'
'a' "b" r'\c'
b'a' b'b'
"é" + é.ü('ß')[ñ]
(a)
((a))
( a )
()
(1,)
(1, 2)
( 1 , )
((1, 2), (3,))
1,
1, 2 ,
*a, b
[]
[a]
[a, *b, ]
{a}
{*a, b}
{}
{a: b, **c, 'd': (e)}
{a: 1,}
[a for a in b]
[(a, b) for a, b in c if d if e for f in g]
[a for (a) in (b) if (c)]
{a for a in b}
{a: b for a, b in c}
(a for a in b)
((a for a in b))
f(a for a in b)
f ( a for a in b )
f((a for a in b))
f( ( a for a in b ) )
f(a for a in b)(c)
f((a for a in b), c)
f(c, (a for a in b))
[await a async for a in b]
-a
+a
~a
not a
not not a
--(-a)
a ** -b ** c
a + b - c * d / e // f % g @ h
a << b >> c & d | e ^ f
(a + b) * (c)
(a) + (b)
a and b and c
a or b and c or d
(a and b) and c
a and (b and c)
(a and b and (c)) or d
a < b
a < b <= c != d
a is b is not c in d not in e
(a) == (b)
a if b else c
(a) if (b) else (c)
a if b else c if d else e
(a := b)
f(a := b, (c := d))
[a := 1, b]
a.b.c
(a).b
(a.b) . c
a(b)(c).d[e]
1 .real
f()
f(a, *b, c=d, **e)
f(a, c = (d), *b, ** (e),)
f(*a, *b)
f(* (a), b)
f(a)(b)
(f)(a)
a[b]
a[(b)]
a[b, c]
a[b,]
a[b , ]
a[(b, c)]
a[:]
a[b:]
a[:b]
a[b:c]
a[::]
a[b:c:d]
a[ b : c : d ]
a[b::]
a[(b):(c):(d)]
a[b:c, d]
a[..., None, ::2]
(yield)
(yield a)
(yield a, b)
(yield from a)
await a
await (a)
lambda: a
lambda a: a
lambda a, b=1, *c, d, e=2, **f: (a, b)
lambda a, /, b: a
lambda *, a: a
lambda *a: (yield)
(lambda a: a)(b)
f''
f'a'
f'{a}'
f'a{b}c{{}}{d!r:>{e}}{f=}'
f'{a:{b}.{c}}'
f'{(a, b)}{ {1: 2}[1] }{(lambda: 1)()}'
'a' f'{b}' 'c'
f'{a}' f'{b}' rf'\{c}'
'é', f'{é}', é
a  # comment
""".strip("\n").split("\n")

STATEMENTS = r"""
('a'
 'b')
---
'''a
b'''
---
f(
    a,
    b=c,
)
---
a[b:
]
---
a[
    b,
    c:d
]
---
a[
    b,
    c:
]
---
f'''{
a
}'''
---
a \
    + b
---
( # comment
    a # comment
    , # comment
)
---
a = b
a = b = c
a, b = c
a, = b
(a, b), [c, *d] = e
[a, b] = c
*a, b = c
(a) = b
a.b = c
a[b] = c
a = (b)
a = yield
a = yield b
a = *b, c
---
a: b
a: b = c
a.b: c = d
a[b]: c
a: (b) = (c)
a: b = yield
---
a += b
a -= b
a *= b
a @= b
a /= b
a //= b
a %= b
a **= b
a >>= b
a <<= b
a &= b
a |= b
a ^= b
a.b += c, d
a[b] += yield
(a) += (b)
---
del a
del a, b
del a,
del (a)
del (a, b)
del (a), b[c]
del [a, b.c]
---
a; b; c
a; b ;
---
pass
assert a
assert a, b
assert (a), (b)
raise
raise a
raise a from b
raise (a) from (b)
---
import a
import a.b.c
import a as b, c.d as e
from a import b
from a.b import c as d, e
from . import a
from .. import (a)
from ...a.b import (
    c,
    d as e,
)
from a import *
from .a import *
---
if a: b
---
if a:
    b
elif c:
    d
else:
    e
---
if a:
    b
else:
    if c: d; e;
---
if a: pass
elif b: pass
elif c: pass
---
while a:
    break
else:
    continue
---
for a in b:
    pass
else:
    c
---
for a, b in c, d: pass
---
for a, in b,: pass
---
for (a, b) in (c): pass
---
for a[b], c.d in *e, f: pass
---
with a: pass
---
with a as b, c as (d, e): pass
---
with (a): pass
---
with (a, b): pass
---
with (a as b): pass
---
with (
    a as b,
    c() as d[e],
):
    pass
---
with (a, b) as c: pass
---
with (a), (b) as c: pass
---
with (yield): pass
---
try:
    a
finally:
    b
---
try: a
except: b
---
try:
    a
except b:
    c
except (d, e) as f:
    g
except h.i as j: k; l ;
else:
    m
finally:
    n
---
def f(): pass
---
def f(a, b: c, d=e, f: g=h): pass
---
def f(a, /): pass
---
def f(a, b=1, /, c=2, *, d, e=3, **f): pass
---
def f(*a, b): pass
---
def f(*a: b, **c: d) -> e: pass
---
def f(a: (b), c=(d), ) -> (e): pass
---
def f(
    a,
    *,
    b,
):
    '''Text.'''
    global c, d
    def g():
        nonlocal a
        return
    return a, *b
---
@a
@b.c(d)
# comment
@(e)
def f():
    pass
---
@a
async def f():
    async for b in c:
        await d
    else:
        pass
    async with e as f, g:
        return [h async for h in i if await j]
    yield k
---
async   def f(): pass
---
class A: pass
---
class A(): pass
---
class A(B, C.D, *E, metaclass=F, **G):
    a: int = 1

    def f(self):
        return self
---
@a
class A:
    '''Text.'''
---
match a:
    case 1: pass
    case -1: pass
    case 1 + 2j: pass
    case -1.5 - 2j: pass
    case 'a' 'b': pass
    case None | True | False: pass
    case a.b.c: pass
    case _: pass
---
match a, b:
    case a, *b: pass
    case *_, a: pass
    case a,: pass
---
match *a, b:
    case [a, (b), *c,]: pass
    case (a, b): pass
    case (a): pass
    case (a,): pass
    case (): pass
    case []: pass
    case [* _]: pass
---
match (a):
    case {}: pass
    case {'a': b, -1: c, d.e: f, **g}: pass
    case {'a': 1,}: pass
---
match a[b]:
    case A(): pass
    case a.B(c, d=e, f=(g)): pass
    case A(b,): pass
    case A(b=1,) as c if d: pass
    case (1 | 2) as a if (b): pass
    case (a.b) | (c.d): pass
    case ((1) | (2)): pass
    case [A(b) as c, *d]:
        match = case = type = 1
        match(case)
---
# only a comment
---

---
'''Docstring.'''

# comment

a = 1

def f():
    # comment
    a  # comment
    # comment
# comment
    b

# comment
---
if a:
	b
	if c:
		d
---
if a:
  b
  if c:
          d
---
if a :
    b = '''
c'''
    d = (
e)
---
x = 'é'; y = 'ü'; z = f(x) ; ä.ö = ñ
---
print(a, file=b); exec(c); print
""".strip("\n").split("\n---\n")

NEWER = {
    (3, 11): [
        "try:\n    a\nexcept* b as c:\n    d\nexcept *(e, f):\n    g",
        "a[*b]",
        "a[*b, c]",
        "a[b, *c,]",
        "def f(*a: *b): pass",
    ],
    (3, 12): [
        "type A = int",
        "type A[T: int, *Ts, **P] = dict[T, str]",
        "def f[T](a: T) -> T: pass",
        "async def f[*Ts, **P](): pass",
        "class A[T: (int, str)](B[T], metaclass=C): pass",
        "class A[T]: pass",
        'f"{a["b"]}"',
        'f"{f"{f"{a}"}"}"',
        "f'{a:{'b'}>{c}}'",
        "f'{'\\n'.join(a)}'",
        "f'''{\n    a  # comment\n}'''",
        "f'{a!r}' 'b' f'{c['d']}'",
    ],
    (3, 13): ["class A[T = int, *Ts = *B, **P = [C]]: pass", "type A[T = int] = T"],
    (3, 14): [
        "try: a\nexcept b, c: d",
        "try: a\nfinally:\n    pass",
    ],
}

TEMPLATES = ["t'a{b}{c!r:>{d}}'", "f(t'{a['b']}')", "rt'''{a}\\n'''"]
