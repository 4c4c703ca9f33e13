"""The normal form of networks of any depth: neurons as units that are numbered by value, layer after layer.

Every neuron is σ(h) for an affine form h in the units below it and the inputs. Two neurons whose forms are multiples
of one another are one unit: σ(t h) = t σ(h) for t > 0, and σ(−h) = σ(h) − h, where the form h is carried past the
layer. What is proved to be constant, active or inactive on the domain is substituted. As units are found by their
forms, and not by their places, order, scale, orientation, duplicates, identity layers and the number of layers do not
matter; and as two networks that are compared share one table of units, no order has to be chosen for any of them, and
nothing like graph isomorphism comes up.

* :mod:`forms` sparse affine forms, substitution;
* :mod:`bounds` exact interval bounds of forms;
* :mod:`units` the table of units;
* :mod:`numbering` networks in normal form.
"""
