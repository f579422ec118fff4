"""Quantiles, and the end of a start-up phase."""


def quantile(values, q):
    at = q * (len(values) - 1)
    low = int(at)
    return values[low] if low + 1 == len(values) else values[low] + (at - low) * (values[low + 1] - values[low])


def start_up(values):
    """How many of the first values MSER-5 leaves out."""
    means = [sum(values[i:i + 5]) / 5 for i in range(0, len(values) - 4, 5)]
    if len(means) < 10:
        return None
    errors = []
    for first in range(len(means) // 2 + 1):
        rest = means[first:]
        mean = sum(rest) / len(rest)
        errors.append(sum((z - mean) ** 2 for z in rest) / len(rest) ** 2)
    best = errors.index(min(errors))
    return None if best >= len(means) // 2 else 5 * best
