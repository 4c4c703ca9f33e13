"""Connected components: of numbered things, and of unions of closed cells."""

from __future__ import annotations

from relusym.polyhedral.cells import Cell, Key


class UnionFind:
    """A partition of 0, …, count − 1 that grows coarser."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def find(self, item: int) -> int:
        """Return the representative of an item's class."""
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def union(self, one: int, other: int) -> None:
        """Join two classes; the smaller representative stays."""
        low, high = sorted((self.find(one), self.find(other)))
        self._parents[high] = low

    def classes(self) -> list[list[int]]:
        """Return the classes, each ascending, in the order of their first items."""
        found: dict[int, list[int]] = {}
        for item in range(len(self._parents)):
            found.setdefault(self.find(item), []).append(item)
        return list(found.values())


def connected_components(cells: list[Cell]) -> list[list[Cell]]:
    """Return the connected components of a union of closed cells: two of them meet where they share a minimal face."""
    joined = UnionFind(len(cells))
    owner: dict[Key, int] = {}
    for number, cell in enumerate(cells):
        for key in cell.minimal_faces():
            joined.union(owner.setdefault(key, number), number)
    return [[cells[number] for number in members] for members in joined.classes()]
