"""The rules core: compiled kernels over integer rows that the caller owns.

It needs NumPy and Numba only, allocates nothing, raises nothing and knows no reinforcement learning. It
trusts its callers: an illegal action or a row of another layout is not detected here but by the surfaces above.
"""
