"""Networks with one hidden layer: forms of the function, and the equivalences ∼, ≡ and ≡_k.

"The paper" in this package is *A Complete Symmetry Classification of Shallow ReLU Networks*.
"""
