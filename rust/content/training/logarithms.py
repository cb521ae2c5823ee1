"""The logarithms in the features of a block, which `log` in src/best/measure.rs approximates. Needs numpy."""
import numpy as np

# The bits of the number 1 as a float, and the steps of a float between two powers of two.
ONE, STEPS = 0x3F800000, 2**23


def without_log(logarithms):
    """Returns the numbers of which the features are the logarithms."""
    bits = np.asarray(logarithms, np.float64) / np.log(2) * STEPS + ONE
    return bits.round().astype(np.int32).view(np.float32) - 1
