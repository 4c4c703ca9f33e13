"""Tensors that are affine maps of the input or of one ReLU layer: the values of an exact graph interpreter.

A tensor of N entries over source units of widths w_1, w_2, … (the graph's inputs, or the Relu nodes of one layer) is a
bias of length N and for each source a block of shape (N, w). Most blocks of a graph only move entries about; they are
kept as positions (:class:`Picks`), and only a product with a matrix of weights makes a :class:`Dense` block. A weight
that is applied once stays the array of floats that the file holds; two that meet are multiplied exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relusym.errors import ShapeError
from relusym.io.exact_arrays import Array, exact, joined, matrix_product, negated, product, total
from relusym.io.files import claim

MAX_TENSOR: Final = 2**22
"""How many entries a tensor between two layers may have; weights may have more."""

Positions: TypeAlias = NDArray[np.intp]


@dataclass(eq=False)
class Units:
    """Source units: one input of the graph (level 0), or one Relu node with its pre-activation (level 1, 2, …)."""

    level: int
    width: int
    preactivation: Affine | None = None


@dataclass(frozen=True)
class Picks:
    """A block whose row i is factors[i] times the unit vector positions[i]; position −1 stands for a row of zeros."""

    positions: Positions
    factors: Array | None = None

    def take(self, rows: Positions) -> Picks:
        """Return the block with these rows; −1 stands for a row of zeros."""
        return Picks(
            np.where(rows < 0, -1, _taken(self.positions, rows)),
            None if self.factors is None else _taken(self.factors, rows),
        )

    def scaled(self, factors: Array) -> Picks:
        """Return the block with each row multiplied by its factor."""
        return Picks(self.positions, factors if self.factors is None else product(self.factors, factors))

    def dense(self, width: int) -> Array:
        """Return the block as an array of shape (rows, width)."""
        claim(len(self.positions) * width, "an affine map")
        rows = np.flatnonzero(self.positions >= 0)
        factors = np.ones(len(rows), np.float32) if self.factors is None else self.factors[rows]
        table = _zeros((len(self.positions), width), factors)
        table[rows, self.positions[rows]] = factors
        return table

    def multiplied(self, weight: Array, width: int) -> Dense:
        """Return weight · block, of shape (weight's rows, width); weights that only move stay floats."""
        claim(len(weight) * width, "an affine map")
        columns = np.flatnonzero(self.positions >= 0)
        targets = self.positions[columns]
        if self.factors is None and np.array_equal(self.positions, np.arange(width)):
            return Dense(weight)
        moved = weight[:, columns]
        if self.factors is not None:
            moved = product(moved, self.factors[columns])
        if len(np.unique(targets)) == len(targets):
            table = _zeros((len(weight), width), moved)
            table[:, targets] = moved
            return Dense(table)
        table, moved = exact(np.zeros((len(weight), width), np.int64)), exact(moved)
        for column, target in enumerate(targets):
            table[:, target] = table[:, target] + moved[:, column]
        return Dense(table)


@dataclass(frozen=True)
class Dense:
    """A block that is an array of shape (rows, width)."""

    array: Array

    def take(self, rows: Positions) -> Dense:
        """Return the block with these rows; −1 stands for a row of zeros."""
        if np.array_equal(rows, np.arange(len(self.array))):
            return self
        claim(rows.size * self.array.shape[1], "an affine map")
        taken = _taken(self.array, rows)
        if np.any(rows < 0):
            taken[rows < 0] = _zeros((), self.array)[()]
        return Dense(taken)

    def scaled(self, factors: Array) -> Dense:
        """Return the block with each row multiplied by its factor."""
        return Dense(product(self.array, factors[:, None]))

    def dense(self, width: int) -> Array:
        """Return the array."""
        return self.array

    def multiplied(self, weight: Array, width: int) -> Dense:
        """Return weight · block, exactly."""
        claim(len(weight) * width, "an affine map")
        return Dense(matrix_product(weight, self.array))


Block: TypeAlias = Picks | Dense


def _taken(array: Array, rows: Positions) -> Array:
    """Return these rows, anything where the row is −1."""
    if not len(array):
        array = _zeros((1, *array.shape[1:]), array)
    return array[np.maximum(rows, 0)]


def _zeros(shape: tuple[int, ...], like: Array) -> Array:
    if like.dtype == object:
        return exact(np.zeros(shape, np.int64))
    return np.zeros(shape, like.dtype)


@dataclass(frozen=True)
class Affine:
    """A tensor that is an affine map of source units, all of one level.

    Attributes
    ----------
    shape
        The tensor's shape; entries are counted in row-major order.
    blocks
        The block of each source; a source that is missing does not matter.
    bias
        The constant part, of length N; None for zero.
    """

    shape: tuple[int, ...]
    blocks: Mapping[Units, Block] = field(default_factory=dict)
    bias: Array | None = None

    @property
    def size(self) -> int:
        """The number N of entries."""
        return math.prod(self.shape)

    @property
    def level(self) -> int | None:
        """The level of the sources; None for a constant."""
        return next((units.level for units in self.blocks), None)

    def take(self, rows: Positions) -> Affine:
        """Return the tensor of these entries, in the shape of ``rows``; −1 stands for zero."""
        claim(rows.size, "a tensor", MAX_TENSOR)
        flat = rows.ravel()
        bias = None
        if self.bias is not None:
            bias = _taken(self.bias, flat)
            if np.any(flat < 0):
                bias[flat < 0] = _zeros((), bias)[()]
        return Affine(rows.shape, {units: block.take(flat) for units, block in self.blocks.items()}, bias)

    def rearranged(self, rearrange: Callable[[Array], Array]) -> Affine:
        """Return the tensor whose entries are moved as ``rearrange`` moves those of an array."""
        return self.take(rearrange(np.arange(self.size).reshape(self.shape)))

    def scaled(self, factors: Array) -> Affine:
        """Return the tensor with each entry multiplied by its factor, given in the same shape."""
        flat = factors.ravel()
        blocks = {units: block.scaled(flat) for units, block in self.blocks.items()}
        return Affine(self.shape, blocks, None if self.bias is None else product(self.bias, flat))

    def negated(self) -> Affine:
        """Return the tensor with all signs changed."""
        blocks: dict[Units, Block] = {}
        for units, block in self.blocks.items():
            if isinstance(block, Dense):
                blocks[units] = Dense(negated(block.array))
            else:
                factors = np.ones(len(block.positions), np.float32) if block.factors is None else block.factors
                blocks[units] = Picks(block.positions, negated(factors))
        return Affine(self.shape, blocks, None if self.bias is None else negated(self.bias))

    def multiplied(self, weight: Array) -> Affine:
        """Return weight · tensor for a tensor of one dimension; weight has shape (outputs, N)."""
        if weight.shape[1] != self.size:
            raise ShapeError(f"a matrix with {weight.shape[1]} columns meets a vector of length {self.size}")
        blocks = {units: block.multiplied(weight, units.width) for units, block in self.blocks.items()}
        bias = None if self.bias is None else matrix_product(weight, self.bias[:, None])[:, 0]
        return Affine((len(weight),), blocks, bias)

    def plus(self, other: Affine) -> Affine:
        """Return the sum of two tensors of one shape and one level."""
        blocks = dict(self.blocks)
        for units, block in other.blocks.items():
            blocks[units] = _sum(blocks[units], block, units.width) if units in blocks else block
        biases = [bias for bias in (self.bias, other.bias) if bias is not None]
        return Affine(self.shape, blocks, total(*biases) if len(biases) == 2 else next(iter(biases), None))


def _sum(first: Block, second: Block, width: int) -> Block:
    return Dense(total(first.dense(width), second.dense(width)))


Value: TypeAlias = Affine | Array
"""A tensor of the graph: an affine map, or an array of exact constants."""


def as_affine(value: Value) -> Affine:
    """Return a constant as an affine map without sources; an affine map as it is."""
    if isinstance(value, Affine):
        return value
    return Affine(value.shape, {}, value.ravel() if np.any(value != 0) else None)


def source(units: Units, shape: tuple[int, ...]) -> Affine:
    """Return the units themselves as a tensor of this shape."""
    return Affine(shape, {units: Picks(np.arange(claim(units.width, "a tensor", MAX_TENSOR)))})


def stacked(parts: Sequence[Affine]) -> Affine:
    """Return the entries of all parts, one after another, as a tensor of one dimension."""
    claim(sum(part.size for part in parts), "a tensor", MAX_TENSOR)
    if len(parts) == 1:
        return Affine((parts[0].size,), parts[0].blocks, parts[0].bias)
    sources = dict.fromkeys(units for part in parts for units in part.blocks)
    blocks = {units: _stacked_block(units, parts) for units in sources}
    bias = None
    if any(part.bias is not None for part in parts):
        bias = joined(_fill([part.bias for part in parts], [(part.size,) for part in parts]))
    return Affine((sum(part.size for part in parts),), blocks, bias)


def _stacked_block(units: Units, parts: Sequence[Affine]) -> Block:
    found = [part.blocks.get(units) for part in parts]
    if any(isinstance(block, Dense) for block in found):
        claim(sum(part.size for part in parts) * units.width, "an affine map")
        arrays = [None if block is None else block.dense(units.width) for block in found]
        return Dense(joined(_fill(arrays, [(part.size, units.width) for part in parts])))
    nothing = Picks(np.array([], dtype=np.intp))
    picks = [
        block if isinstance(block, Picks) else nothing.take(np.full(part.size, -1))
        for block, part in zip(found, parts, strict=True)
    ]
    positions = np.concatenate([pick.positions for pick in picks])
    if all(pick.factors is None for pick in picks):
        return Picks(positions)
    ones = [np.ones(len(pick.positions), np.float32) if pick.factors is None else pick.factors for pick in picks]
    return Picks(positions, joined(ones))


def _fill(arrays: Sequence[Array | None], shapes: Sequence[tuple[int, ...]]) -> list[Array]:
    """Put zeros of a type that fits where there is no array."""
    like = next(array for array in arrays if array is not None)
    return [_zeros(shape, like) if array is None else array for array, shape in zip(arrays, shapes, strict=True)]


def matrix_over(sources: Sequence[Units], value: Affine) -> tuple[Array, Array]:
    """Return the weight, of shape (N, all widths), and the bias of a tensor over these sources in their order."""
    width = sum(units.width for units in sources)
    claim(value.size * width, "a layer's weight")
    arrays: list[Any] = [value.blocks[units].dense(units.width) if units in value.blocks else None for units in sources]
    if all(array is None for array in arrays):
        weight: Array = np.zeros((value.size, width), np.float32)
    else:
        weight = joined(_fill(arrays, [(value.size, units.width) for units in sources]), axis=1)
    bias = value.bias if value.bias is not None else _zeros((value.size,), weight)
    return weight, bias
