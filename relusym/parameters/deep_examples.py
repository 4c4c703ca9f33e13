"""Families of deep networks that show what *Most ReLU Networks Admit Identifiable Parameters* proves to exist.

**Minimal, and not identifiable.** Let O be the set of parameters with widths (2, 2, 2, 1) for which

    u = W x + b,    z_i = p_i σ(u_0) − q_i σ(u_1) − r_i    (i = 0, 1),    f = v_0 σ(z_0) − v_1 σ(z_1) + c

with W invertible, all of p_i, q_i, r_i, v_i positive, and

    v_0 p_0 > v_1 p_1,    q_1 / p_1 < q_0 / p_0,    r_0 / p_0 < r_1 / p_1.

O is open, since strict inequalities define it, and at each of its points four things hold.

1. *One parameter is free.* Add s to the bias of u_0 and p_i s to r_i: f stays as it is for every s ≥ −min r_i / p_i.
   Indeed σ(z_i) = σ(p_i u_0 − q_i σ(u_1) − r_i), as both sides are 0 where u_0 ≤ 0, and s cancels on the right.
2. *The functional dimension is 10 = D − N − 1.* At most 10: the direction of 1 moves biases only, which no positive
   scaling does. At least 10: put α_i = v_i (p_i u_0 − r_i) and β_i = v_i q_i u_1. With their gradients parallel these
   affine forms take 3 + 2 and 3 + 1 numbers, and c is one more; θ reaches all nearby values of these ten. If f stands
   still to first order, so do c, where z_0, z_1 < 0; α_0 and then α_1, where u_1 < 0 (z_0 becomes positive first);
   α_1 − β_1, where z_1 alone is positive (q_1 / p_1 < u_0 / u_1 < q_0 / p_0, far out); and α_0 − β_0, where u_1 > 0
   and both are. So all ten stand still.
3. *No network of any depth with fewer than four hidden neurons has the function f,* and with four only the widths
   (2, 2) are possible. One hidden layer is not enough, since the breakpoints bend at u_1 = 0, p_0 u_0 = r_0. A first
   layer with one neuron makes all gradients parallel, and here they span the plane. A last hidden layer with one
   neuron bounds f from above or from below, and f is unbounded both ways: where u_1 ≤ 0 and u_0 grows, by
   v_0 p_0 > v_1 p_1, and where z_1 alone is positive. In particular f changes when a neuron is deleted.
4. Every neuron is active on some regions and inactive on others: none is dead, none is linear.

:func:`minimal_family` lies in O for t > 0, and so does every network with all parameters within 1/8 of those at t = 1.

*With a neuron that is always active.* The reason can lie in the last hidden layer alone. With u as above, W invertible,
and all of p_i, q_i, v_i, r, t positive, let

    z_0 = p_0 σ(u_0) + p_1 σ(u_1) − r,    z_1 = q_0 σ(u_0) + q_1 σ(u_1) + t,    f = v_0 σ(z_0) − v_1 σ(z_1) + c

with v_0 p_0 > v_1 q_0 and v_0 p_1 < v_1 q_1. As z_1 > 0 everywhere, t and c trade: the functional dimension is at most
D − N − 1. Yet 3 holds for the same reasons, with f unbounded below where u_0 ≤ 0 and u_1 grows: that neuron hands on
what is linear. :func:`always_active_family` is of this kind for t > 0, and so is every network with all parameters
within 1/8 of those at t = 1.

**Depth that shows.** :func:`tower` repeats one layer. Its parameters are generic, and its dependency graph has a chain
as long as the network is deep, so that no generic parameter with fewer layers realises its function (decided for each
depth by :func:`relusym.genericity` and :func:`relusym.generic_depth_lower_bound`, not proved for all at once).
"""

from __future__ import annotations

from fractions import Fraction

from relusym.errors import RelusymError
from relusym.parameters.network import Network


def minimal_family(t: int | Fraction) -> Network:
    """Return a network without a neuron to spare, whose function is the same for every t ≥ 0.

    It is 2 σ(σ(x_0 + t) − 2 σ(x_1) − t) − σ(σ(x_0 + t) − σ(x_1) − t − 1) = 2 σ(x_0 − 2 σ(x_1)) − σ(x_0 − σ(x_1) − 1).

    Parameters
    ----------
    t
        A rational number.

    Examples
    --------
    >>> from relusym import equal
    >>> equal(minimal_family(1), minimal_family(100)).verdict
    'equal'
    >>> equal(minimal_family(1), minimal_family(Fraction(-1, 1000))).verdict
    'different'
    """
    t = Fraction(t)
    return Network([([[1, 0], [0, 1]], [t, 0]), ([[1, -2], [1, -1]], [-t, -t - 1]), ([[2, -1]], [0])])


def always_active_family(t: int | Fraction) -> Network:
    """Return a network with a neuron that is always active and cannot be spared, the same function for every t ≥ 0.

    It is 2 σ(σ(x_0) + σ(x_1) − 1) − σ(σ(x_0) + 3 σ(x_1) + t) + t, the last but one term of which is linear in σ(x).

    Parameters
    ----------
    t
        A rational number.

    Examples
    --------
    >>> from relusym import equal
    >>> equal(always_active_family(1), always_active_family(100)).verdict
    'equal'
    """
    t = Fraction(t)
    return Network([([[1, 0], [0, 1]], [0, 0]), ([[1, 1], [1, 3]], [-1, t]), ([[2, -1]], [t])])


def tower(depth: int) -> Network:
    """Return a network with two inputs and ``depth`` hidden layers of three neurons, each layer after the first alike.

    Its bent hyperplanes are 3 · depth connected curves; each of a layer crosses each of the layer before.

    Raises
    ------
    RelusymError
        Where the depth is not a positive integer.

    Examples
    --------
    >>> from relusym import generic_depth_lower_bound, genericity
    >>> genericity(tower(3)).generic.truth, generic_depth_lower_bound(tower(3))
    (True, 3)
    """
    if not isinstance(depth, int) or depth < 1:
        raise RelusymError(f"a tower has a positive number of hidden layers; got {depth!r:.40}")
    first = ([[1, 0], [0, 1], [-1, -1]], [1, 1, 1])
    other = ([[-5, 3, -1], [-1, -5, 3], [3, -1, -5]], [4, 4, 4])
    return Network([first, *[other] * (depth - 1), ([[1, 1, 1]], [0])])
