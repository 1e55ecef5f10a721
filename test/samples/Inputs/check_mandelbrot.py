"""check_mandelbrot.py FILE WIDTH HEIGHT: the image of samples/mandelbrot.ampc against the same formulas in Python.

A pixel may differ where single precision decides: at most one in fifty does.
"""
import math
import sys

MAX_ITERATIONS = 256


def escape_time(c):
    z, n = 0j, 0
    while n < MAX_ITERATIONS and z.real**2 + z.imag**2 <= 4:
        z, n = z * z + c, n + 1
    return n


def colour(n):
    if n == MAX_ITERATIONS:
        return (0, 0, 0)
    t = math.sqrt(n / MAX_ITERATIONS)
    weights = (9 * (1 - t) * t**3, 15 * (1 - t) ** 2 * t**2, 8.5 * (1 - t) ** 3 * t)
    return tuple(int(255 * w) for w in weights)


name, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = open(name, "rb").read()
header = f"P6\n{width} {height}\n255\n".encode()
assert data.startswith(header), data[:20]
pixels = data[len(header) :]
assert len(pixels) == 3 * width * height, len(pixels)

step = 3.0 / width
different = 0
for row in range(height):
    for col in range(width):
        expected = colour(escape_time(complex(-2.2 + step * col, -step * height / 2 + step * row)))
        at = 3 * (row * width + col)
        different += any(abs(a - b) > 1 for a, b in zip(pixels[at : at + 3], expected))
assert different * 50 <= width * height, f"{different} of {width * height} pixels differ"
