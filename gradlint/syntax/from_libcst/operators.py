"""Operators, by the names of LibCST's classes."""

from __future__ import annotations

import ast

import libcst as cst

_BINARY: dict[str, type[ast.operator]] = {
    "Add": ast.Add,
    "Subtract": ast.Sub,
    "Multiply": ast.Mult,
    "MatrixMultiply": ast.MatMult,
    "Divide": ast.Div,
    "FloorDivide": ast.FloorDiv,
    "Modulo": ast.Mod,
    "Power": ast.Pow,
    "LeftShift": ast.LShift,
    "RightShift": ast.RShift,
    "BitAnd": ast.BitAnd,
    "BitOr": ast.BitOr,
    "BitXor": ast.BitXor,
}
_UNARY: dict[str, type[ast.unaryop]] = {
    "Not": ast.Not,
    "Plus": ast.UAdd,
    "Minus": ast.USub,
    "BitInvert": ast.Invert,
}
_BOOLEAN: dict[str, type[ast.boolop]] = {"And": ast.And, "Or": ast.Or}
_COMPARISON: dict[str, type[ast.cmpop]] = {
    "Equal": ast.Eq,
    "NotEqual": ast.NotEq,
    "LessThan": ast.Lt,
    "LessThanEqual": ast.LtE,
    "GreaterThan": ast.Gt,
    "GreaterThanEqual": ast.GtE,
    "Is": ast.Is,
    "IsNot": ast.IsNot,
    "In": ast.In,
    "NotIn": ast.NotIn,
}


def binary(node: cst.BaseBinaryOp | cst.BaseAugOp) -> ast.operator:
    """`+` of `a + b` and of `a += b`."""
    return _BINARY[type(node).__name__.removesuffix("Assign")]()


def unary(node: cst.BaseUnaryOp) -> ast.unaryop:
    """`-` of `-a`."""
    return _UNARY[type(node).__name__]()


def boolean(node: cst.BaseBooleanOp) -> ast.boolop:
    """`and` of `a and b`."""
    return _BOOLEAN[type(node).__name__]()


def comparison(node: cst.BaseCompOp) -> ast.cmpop:
    """`<` of `a < b`."""
    return _COMPARISON[type(node).__name__]()
