"""The canonical polyhedral complex of a ReLU network, exactly; see :func:`relusym.complex_of`."""
