"""Matrices as a network holds them: one Protocol, three representations.

* :class:`FloatMatrix` keeps the float array that it was given, three million weights as three million machine numbers;
* :class:`RationalMatrix` holds integers with their denominators (``flint.fmpq_mat``);
* :class:`FieldMatrix` holds elements of one real number field.

A vector is a matrix with one column. Matrices are equal, and hash, by value, whatever represents them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from flint import fmpq, fmpq_mat

from relusym.errors import FieldError, FormatError, RelusymError, ShapeError
from relusym.exact.expression import Expression, bits
from relusym.exact.field import QQ, Element, Field
from relusym.exact.floats import check_array, dyadic
from relusym.exact.number_field import AlgebraicNumber
from relusym.exact.numbers import read_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONG_BITS = 1 << 14
_LONG_NUMBERS_BITS = 1 << 30


class Matrix(Protocol):
    """An exact matrix."""

    @property
    def nrows(self) -> int:
        """The number of rows."""
        ...

    @property
    def ncols(self) -> int:
        """The number of columns."""
        ...

    @property
    def field(self) -> Field:
        """The field that the entries are in."""
        ...

    def row(self, index: int) -> list[Element]:
        """Return one row of exact elements."""
        ...

    def entry(self, row: int, column: int) -> Element:
        """Return one exact element."""
        ...

    def plain(self) -> list[list[Any]]:
        """Return the rows as Python numbers or text: a float stands for the dyadic rational that it holds."""
        ...


class FloatMatrix:
    """A float32 or float64 array, read as the dyadic rationals that it holds."""

    __slots__ = ("array",)

    def __init__(self, array: NDArray[np.floating[Any]]) -> None:
        self.array = array

    @property
    def nrows(self) -> int:
        """The number of rows."""
        return int(self.array.shape[0])

    @property
    def ncols(self) -> int:
        """The number of columns."""
        return int(self.array.shape[1])

    @property
    def field(self) -> Field:
        """Q."""
        return QQ

    def row(self, index: int) -> list[Element]:
        """Return one row of exact elements."""
        return [fmpq(*value.as_integer_ratio()) for value in self.array[index].tolist()]

    def entry(self, row: int, column: int) -> Element:
        """Return one exact element."""
        return dyadic(float(self.array[row, column]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _float_matrix, (self.array,)

    def plain(self) -> list[list[float]]:
        """Return the rows as Python floats."""
        rows: list[list[float]] = self.array.tolist()
        return rows

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __hash__(self) -> int:
        return _sampled_hash(self)


class RationalMatrix:
    """A matrix of rational numbers, each an integer with its denominator."""

    __slots__ = ("_matrix",)

    def __init__(self, matrix: fmpq_mat) -> None:
        self._matrix = matrix

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[fmpq]], ncols: int | None = None) -> RationalMatrix:
        """Return the matrix with these rows; ``ncols`` is needed where there are none."""
        width = len(rows[0]) if rows else ncols or 0
        return cls(fmpq_mat(len(rows), width, [value for row in rows for value in row]))

    @property
    def nrows(self) -> int:
        """The number of rows."""
        return self._matrix.nrows()

    @property
    def ncols(self) -> int:
        """The number of columns."""
        return self._matrix.ncols()

    @property
    def field(self) -> Field:
        """Q."""
        return QQ

    def row(self, index: int) -> list[Element]:
        """Return one row of exact elements."""
        return [self._matrix[index, j] for j in range(self.ncols)]

    def entry(self, row: int, column: int) -> Element:
        """Return one exact element."""
        return self._matrix[row, column]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rational_matrix, ([[(int(v.p), int(v.q)) for v in row] for row in self._matrix.tolist()], self.ncols)

    def plain(self) -> list[list[Fraction]]:
        """Return the rows as fractions."""
        return [[Fraction(int(value.p), int(value.q)) for value in row] for row in self._matrix.tolist()]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RationalMatrix):
            return bool(self._matrix == other._matrix)
        return _same(self, other)

    def __hash__(self) -> int:
        return _sampled_hash(self)


class FieldMatrix:
    """A matrix over one real number field."""

    __slots__ = ("_ncols", "_rows", "field")

    def __init__(self, field: Field, rows: Sequence[Sequence[Element]], ncols: int) -> None:
        self.field = field
        self._rows = tuple(tuple(row) for row in rows)
        self._ncols = ncols

    @property
    def nrows(self) -> int:
        """The number of rows."""
        return len(self._rows)

    @property
    def ncols(self) -> int:
        """The number of columns."""
        return self._ncols

    def row(self, index: int) -> list[Element]:
        """Return one row of exact elements."""
        return list(self._rows[index])

    def entry(self, row: int, column: int) -> Element:
        """Return one exact element."""
        return self._rows[row][column]

    def plain(self) -> list[list[str]]:
        """Return the rows as text."""
        return [[self.field.text(value) for value in row] for row in self._rows]

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __hash__(self) -> int:
        return _sampled_hash(self)


def _float_matrix(array: NDArray[np.floating[Any]]) -> FloatMatrix:
    array.setflags(write=False)
    return FloatMatrix(array)


def _rational_matrix(rows: list[list[tuple[int, int]]], ncols: int) -> RationalMatrix:
    return RationalMatrix.from_rows([[fmpq(*pair) for pair in row] for row in rows], ncols)


def rows_of(matrix: Matrix, columns: Sequence[int] | None = None) -> Iterator[list[Element]]:
    """Iterate over the rows of exact elements, or the parts in some columns, each made when it is asked for."""
    if columns is None or len(columns) == matrix.ncols:
        return (matrix.row(index) for index in range(matrix.nrows))
    if isinstance(matrix, FloatMatrix):
        return rows_of(FloatMatrix(matrix.array[:, columns]))
    return ([matrix.entry(index, column) for column in columns] for index in range(matrix.nrows))


def column_of(matrix: Matrix) -> list[Element]:
    """Return the entries of a matrix with one column."""
    return [matrix.entry(index, 0) for index in range(matrix.nrows)]


def text_rows(matrix: Matrix) -> list[list[str]]:
    """Return the rows as text that reads back equal."""
    text = matrix.field.text
    return [[text(value) for value in row] for row in rows_of(matrix)]


def to_sympy(matrix: Matrix) -> Any:
    """Return a SymPy ImmutableDenseMatrix."""
    from sympy import ImmutableDenseMatrix

    convert = matrix.field.sympy
    entries = [convert(value) for row in rows_of(matrix) for value in row]
    return ImmutableDenseMatrix(matrix.nrows, matrix.ncols, entries)


def _same(first: Matrix, second: object) -> bool:
    if not isinstance(second, (FloatMatrix, RationalMatrix, FieldMatrix)):
        return False
    if (first.nrows, first.ncols) != (second.nrows, second.ncols):
        return False
    if isinstance(first, FloatMatrix) and isinstance(second, FloatMatrix):
        import numpy as np

        return bool(np.array_equal(first.array, second.array))
    return all(bool(first.row(i) == second.row(i)) for i in range(first.nrows))


def _sampled_hash(matrix: Matrix) -> int:
    """Hash the shape and a few entries by value: equal matrices share it, and large ones stay cheap."""
    count = matrix.nrows * matrix.ncols
    places = range(0, count, max(1, count // 32))
    sample = tuple(hash(matrix.entry(*divmod(place, matrix.ncols))) for place in places)
    return hash((matrix.nrows, matrix.ncols, sample))


# -- reading


class Allowance:
    """The memory that very long numbers of one network may take in all: short text such as 1e99999 names them."""

    def __init__(self) -> None:
        self._left = _LONG_NUMBERS_BITS

    def take(self, value: Expression) -> Expression:
        """Return the number, counted if it is a long one; :class:`FieldError` where no room is left."""
        if isinstance(value, fmpq):
            size = bits(value)
            if size > _LONG_BITS:
                self._left -= size
                if self._left < 0:
                    raise FieldError(
                        f"the numbers of more than {_LONG_BITS // 4:,} digits take more than "
                        f"{_LONG_NUMBERS_BITS >> 23} MiB in all; fewer or shorter ones are accepted"
                    )
        return value


def read_matrix(
    data: object, place: str, ncols: int | None = None, allowance: Allowance | None = None
) -> FloatMatrix | list[list[Expression]]:
    """Return a float array as it is, or the rows of expressions that another matrix-like object holds.

    Parameters
    ----------
    data
        A NumPy array of two dimensions, a SymPy or FLINT matrix, or a sequence of rows.
    place
        Where the matrix stands, for error messages ("layer 0, weight").
    ncols
        The number of columns that is due, where it is known.
    allowance
        What bounds the long numbers of several matrices together.

    Raises
    ------
    ShapeError
        Where the object is no matrix, or a ragged one.
    FormatError, FieldError
        Where an entry is no exact number; the message names the entry.
    """
    array = _float_array(data, 2, place)
    if array is not None:
        return FloatMatrix(array)
    rows = [_sequence(row, f"{place}: row {index}") for index, row in enumerate(_sequence(data, place))]
    width = len(rows[0]) if rows else ncols or 0
    for index, row in enumerate(rows):
        if len(row) != width:
            raise ShapeError(
                f"{place}: row {index} has {len(row)} entries, row 0 has {width}; all rows must be as long"
            )
    floats = _all_floats(rows, place)
    if floats is not None:
        return FloatMatrix(floats)
    allowance = allowance or Allowance()
    return [
        [_read(entry, f"{place}[{i}][{j}]", allowance) for j, entry in enumerate(row)] for i, row in enumerate(rows)
    ]


def read_vector(data: object, place: str, allowance: Allowance | None = None) -> FloatMatrix | list[list[Expression]]:
    """Return a vector as a matrix with one column; a matrix with one column is taken as it is."""
    array = _float_array(data, 1, place)
    if array is not None:
        return FloatMatrix(array.reshape(-1, 1))
    entries = _sequence(data, place)
    if len(getattr(data, "shape", ())) == 2 or (entries and all(map(_is_single, entries))):
        rows = [_sequence(row, f"{place}[{index}]") for index, row in enumerate(entries)]
        if any(len(row) != 1 for row in rows):
            raise ShapeError(f"{place}: a vector is due, a sequence of numbers; got a matrix")
        entries = [row[0] for row in rows]
    floats = _all_floats([[entry] for entry in entries], place)
    if floats is not None:
        return FloatMatrix(floats)
    allowance = allowance or Allowance()
    return [[_read(entry, f"{place}[{index}]", allowance)] for index, entry in enumerate(entries)]


def _is_single(entry: object) -> bool:
    return isinstance(entry, (list, tuple)) and len(entry) == 1


def _float_array(data: object, dimensions: int, place: str) -> NDArray[np.floating[Any]] | None:
    if type(data).__module__.partition(".")[0] != "numpy" or getattr(getattr(data, "dtype", None), "kind", "") != "f":
        return None
    import numpy as np

    if isinstance(data, np.ma.MaskedArray) and np.ma.is_masked(data):
        raise FormatError(f"{place}: the array has masked entries; numbers are due everywhere")
    array: NDArray[np.floating[Any]] = np.asarray(data)
    if array.dtype.itemsize > 8:
        return None
    if array.ndim == 2 and dimensions == 1 and array.shape[1] == 1:
        array = array.reshape(-1)
    if array.ndim != dimensions:
        raise ShapeError(f"{place}: the array has {array.ndim} dimensions; {dimensions} are due")
    try:
        check_array(array)
    except RelusymError as error:
        raise error.at(place) from None
    if array.dtype.itemsize < 4:
        array = array.astype(np.float32)
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


def _all_floats(rows: list[list[object]], place: str) -> NDArray[np.floating[Any]] | None:
    """Pack rows of Python floats in one array; None where an entry is of another kind."""
    if not rows or not rows[0] or not all(type(entry) is float for row in rows for entry in row):
        return None
    import numpy as np

    return _float_array(np.array(rows, dtype=np.float64), 2, place)


def _sequence(data: object, place: str) -> list[Any]:
    if isinstance(data, (list, tuple)):
        return list(data)
    table = getattr(data, "tolist", None)
    if isinstance(data, (str, bytes, dict, set, frozenset)) or (table is None and not hasattr(data, "__iter__")):
        raise ShapeError(f"{place}: a sequence is due; got {type(data).__name__}")
    if str(getattr(getattr(data, "dtype", None), "kind", "")) in ("m", "M", "V"):
        raise FormatError(f"{place}: dates, times and records are no numbers; an array of numbers is due")
    values = table() if table is not None else list(data)  # type: ignore[call-overload]
    if not isinstance(values, list):
        raise ShapeError(f"{place}: a sequence is due; got a single number")
    return values


def _read(entry: object, place: str, allowance: Allowance) -> Expression:
    try:
        if isinstance(entry, (list, tuple, dict)):
            raise FormatError(f"a number is due; got {type(entry).__name__}")
        return allowance.take(read_number(entry))
    except RelusymError as error:
        raise error.at(place) from None


def is_rational(rows: Sequence[Sequence[object]]) -> bool:
    """Return whether all entries are rational numbers of FLINT."""
    return all(isinstance(entry, fmpq) for row in rows for entry in row)


def make_matrix(field: Field, rows: Sequence[Sequence[Any]], ncols: int) -> Matrix:
    """Return the plainest exact representation of rows that are in ``field``."""
    rows = [[_plainest(entry) for entry in row] for row in rows]
    if is_rational(rows):
        return RationalMatrix.from_rows(rows, ncols)
    return FieldMatrix(field, [[_lift(field, entry) for entry in row] for row in rows], ncols)


def _plainest(entry: Any) -> Any:
    rational = entry.field.to_rational(entry) if isinstance(entry, AlgebraicNumber) else entry
    return entry if rational is None else rational


def _lift(field: Field, entry: Any) -> Element:
    return field.rational(entry) if isinstance(entry, fmpq) else entry


if TYPE_CHECKING:

    def _contract(a: FloatMatrix, b: RationalMatrix, c: FieldMatrix) -> tuple[Matrix, Matrix, Matrix]:
        return a, b, c
