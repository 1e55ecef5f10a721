/* exact.h - the algorithms of compiler/spirv/exact.cpp in C, for one width. The includer defines REAL, BITS (unsigned
 * of its size), SIGNED_BITS, FMA, WIDTH (of the significand, the hidden bit included) and NAME(x).
 *
 * The fast paths start from an approximation that is given, so that a test may hand in a bad one. */

enum { NAME(fraction) = WIDTH - 1, NAME(bias) = (int)(sizeof(BITS) == 4 ? 127 : 1023) };

static BITS NAME(bits)(REAL x)
{
    BITS b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static REAL NAME(real)(BITS b)
{
    REAL x;
    memcpy(&x, &b, sizeof x);
    return x;
}

static REAL NAME(magnitude)(REAL x)
{
    return NAME(real)(NAME(bits)(x) & ~((BITS)1 << (sizeof(BITS) * 8 - 1)));
}

/* a / b for magnitudes in the middle of the range; y is about 1 / b. The rest r = a - b * q of a quotient with an error
 * of less than a unit is exact, and so is that of its neighbour on the side of a / b: the smaller one wins. No quotient
 * lies in the middle between two numbers. */
static REAL NAME(fast_divide)(REAL a, REAL b, REAL y)
{
    REAL q = a * y;
    REAL r = FMA(-b, q, a);
    q = FMA(r, y, q);
    r = FMA(-b, q, a);
    if (sizeof(REAL) == 8) {
        q = FMA(r, y, q);
        r = FMA(-b, q, a);
    }
    BITS away = (NAME(bits)(r) ^ NAME(bits)(b) ^ NAME(bits)(q)) >> (sizeof(BITS) * 8 - 1);
    REAL neighbour = NAME(real)(NAME(bits)(q) + 1 - 2 * away);
    return NAME(magnitude)(FMA(-b, neighbour, a)) < NAME(magnitude)(r) ? neighbour : q;
}

/* The square root of x in the middle of the range; y is about 1 / sqrt(x). The last step is Tuckerman's test: g is the
 * rounded root exactly if g * pred(g) < x <= g * succ(g). */
static REAL NAME(fast_sqrt)(REAL x, REAL y)
{
    REAL g = x * y, h = y * (REAL)0.5;
    REAL r = FMA(-h, g, (REAL)0.5);
    g = FMA(g, r, g);
    if (sizeof(REAL) == 8) {
        h = FMA(h, r, h);
        r = FMA(-h, g, (REAL)0.5);
        g = FMA(g, r, g);
    }
    REAL below = NAME(real)(NAME(bits)(g) - 1), above = NAME(real)(NAME(bits)(g) + 1);
    REAL result = FMA(-g, below, x) <= 0 ? below : g;
    return FMA(-g, above, x) > 0 ? above : result;
}

/* sign, value = significand * 2^(exponent - bias - fraction - 2) with two more bits than fit, the last one sticky; the
 * significand is normalised unless the result is denormal. */
static REAL NAME(pack)(BITS sign, int exponent, BITS significand)
{
    const BITS infinity = (BITS)(2 * NAME(bias) + 1) << NAME(fraction);
    int down = 1 - exponent;
    if (down > 0) {
        if (down > WIDTH + 2)
            down = WIDTH + 2;
        BITS lost = significand & (((BITS)1 << down) - 1);
        significand = significand >> down | (lost != 0);
        exponent = 0;
    } else {
        --exponent; /* the hidden bit adds one */
    }
    BITS rest = significand & 3;
    significand >>= 2;
    significand += rest > 2 || (rest == 2 && (significand & 1));
    BITS result = ((BITS)exponent << NAME(fraction)) + significand;
    if (exponent >= 2 * NAME(bias) + 1 || result > infinity)
        result = infinity;
    return NAME(real)(result | sign);
}

static int NAME(leading_zeros)(BITS x)
{
    return sizeof(BITS) == 8 ? __builtin_clzll(x) : __builtin_clz((unsigned)x);
}

/* The significand of a finite number that is not zero, normalised, and its exponent. */
static BITS NAME(unpack)(BITS magnitude, int *exponent)
{
    int e = (int)(magnitude >> NAME(fraction));
    BITS f = magnitude & (((BITS)1 << NAME(fraction)) - 1);
    f |= e ? (BITS)1 << NAME(fraction) : 0;
    int up = NAME(leading_zeros)(f) - ((int)sizeof(BITS) * 8 - WIDTH);
    *exponent = (e ? e : 1) - up;
    return f << up;
}

static REAL NAME(slow_divide)(REAL a, REAL b)
{
    const BITS sign_bit = (BITS)1 << (sizeof(BITS) * 8 - 1);
    const BITS infinity = (BITS)(2 * NAME(bias) + 1) << NAME(fraction);
    BITS sign = (NAME(bits)(a) ^ NAME(bits)(b)) & sign_bit;
    BITS ma = NAME(bits)(a) & ~sign_bit, mb = NAME(bits)(b) & ~sign_bit;
    if (ma > infinity || mb > infinity || (ma == mb && (ma == 0 || ma == infinity)))
        return NAME(real)(infinity | infinity >> 1);
    if (ma == 0 || mb == infinity)
        return NAME(real)(sign);
    if (ma == infinity || mb == 0)
        return NAME(real)(sign | infinity);
    int ea, eb;
    BITS r = NAME(unpack)(ma, &ea), divisor = NAME(unpack)(mb, &eb), q = 0;
    int exponent = ea - eb + NAME(bias);
    if (r < divisor) {
        r <<= 1;
        --exponent;
    }
    for (int k = 0; k < WIDTH + 1; ++k) {
        BITS bit = r >= divisor;
        q = q << 1 | bit;
        r = (r - (bit ? divisor : 0)) << 1;
    }
    return NAME(pack)(sign, exponent, q << 1 | (r != 0));
}

static REAL NAME(slow_sqrt)(REAL x)
{
    const BITS sign_bit = (BITS)1 << (sizeof(BITS) * 8 - 1);
    const BITS infinity = (BITS)(2 * NAME(bias) + 1) << NAME(fraction);
    BITS b = NAME(bits)(x);
    if ((b & ~sign_bit) == 0 || b == infinity)
        return x;
    if (b > infinity)
        return NAME(real)(infinity | infinity >> 1);
    int e;
    BITS f = NAME(unpack)(b, &e), root = 0, rest = 0;
    /* f = m * 2^fraction, x = m * 2^(e - bias): an even power, and f's two topmost bits first. */
    int power = e - NAME(bias), odd = power & 1;
    f <<= (int)sizeof(BITS) * 8 - WIDTH - 1 + odd;
    for (int k = 0; k < WIDTH + 1; ++k) {
        rest = rest << 2 | f >> (sizeof(BITS) * 8 - 2);
        f <<= 2;
        BITS trial = root << 2 | 1, bit = rest >= trial;
        root = root << 1 | bit;
        rest -= bit ? trial : 0;
    }
    return NAME(pack)(0, (power - odd) / 2 + NAME(bias), root << 1 | (rest != 0));
}

/* A number of two words. */
struct NAME(pair) {
    BITS high, low;
};

static struct NAME(pair) NAME(product)(BITS a, BITS b)
{
    const int half = sizeof(BITS) * 4;
    const BITS mask = ((BITS)1 << half) - 1;
    BITS low = (a & mask) * (b & mask), cross = (a >> half) * (b & mask) + (low >> half);
    BITS other = (a & mask) * (b >> half) + (cross & mask);
    return (struct NAME(pair)){(a >> half) * (b >> half) + (cross >> half) + (other >> half),
                               other << half | (low & mask)};
}

/* count < the bits of a word. */
static struct NAME(pair) NAME(shift_left)(struct NAME(pair) x, int count)
{
    const int bits = sizeof(BITS) * 8;
    return (struct NAME(pair)){x.high << count | (x.low >> 1) >> (bits - 1 - count), x.low << count};
}

/* What falls out sticks to the last bit. count >= 0. */
static struct NAME(pair) NAME(shift_right)(struct NAME(pair) x, BITS count)
{
    const int bits = sizeof(BITS) * 8;
    if (count >= (BITS)(2 * bits))
        count = (BITS)(2 * bits - 1);
    BITS lost = count >= (BITS)bits ? x.low : 0;
    x.low = count >= (BITS)bits ? x.high : x.low;
    x.high = count >= (BITS)bits ? 0 : x.high;
    count &= (BITS)(bits - 1);
    lost |= x.low & (((BITS)1 << count) - 1);
    x.low = x.low >> count | (x.high << 1) << ((BITS)(bits - 1) - count);
    x.high >>= count;
    x.low |= lost != 0;
    return x;
}

/* a * b + c, rounded once. Product and addend are brought to two words whose leading bit is the last but one. */
static REAL NAME(soft_fma)(REAL a, REAL b, REAL c)
{
    const int bits = sizeof(BITS) * 8;
    const BITS sign_bit = (BITS)1 << (bits - 1);
    const BITS infinity = (BITS)(2 * NAME(bias) + 1) << NAME(fraction);
    BITS ma = NAME(bits)(a) & ~sign_bit, mb = NAME(bits)(b) & ~sign_bit, mc = NAME(bits)(c) & ~sign_bit;
    if (ma == 0 || mb == 0 || ma >= infinity || mb >= infinity)
        return a * b + c;
    if (mc >= infinity)
        return c;
    if (mc == 0)
        return a * b;
    int ea, eb, ec;
    BITS fa = NAME(unpack)(ma, &ea), fb = NAME(unpack)(mb, &eb), fc = NAME(unpack)(mc, &ec);
    struct NAME(pair) p = NAME(shift_left)(NAME(product)(fa, fb), 2 * bits - 2 * WIDTH - 1), s = {fc << (bits - 1 - WIDTH), 0};
    int ep = ea + eb - NAME(bias) + 1;
    int up = p.high >> (bits - 2) ? 0 : 1;
    p = NAME(shift_left)(p, up);
    ep -= up;
    BITS sign = (NAME(bits)(a) ^ NAME(bits)(b)) & sign_bit, other = NAME(bits)(c) & sign_bit;
    int swap = ep < ec || (ep == ec && (p.high < s.high || (p.high == s.high && p.low < s.low)));
    struct NAME(pair) big = swap ? s : p, small = swap ? p : s;
    int exponent = swap ? ec : ep;
    BITS differ = sign ^ other;
    sign = swap ? other : sign;
    small = NAME(shift_right)(small, (BITS)(swap ? ec - ep : ep - ec));
    /* Subtract by adding the complement. */
    small.high = differ ? ~small.high : small.high;
    small.low = differ ? ~small.low : small.low;
    BITS carry = differ != 0, low = big.low + small.low;
    BITS over = low < big.low;
    low += carry;
    over |= low < carry;
    struct NAME(pair) sum = {big.high + small.high + over, low};
    if (sum.high == 0 && sum.low == 0)
        return 0;
    /* A carry: one down; else up to the last but one bit. */
    int down = (int)(sum.high >> (bits - 1));
    sum = NAME(shift_right)(sum, (BITS)down);
    exponent += down;
    int empty = sum.high == 0;
    sum.high = empty ? sum.low : sum.high;
    sum.low = empty ? 0 : sum.low;
    exponent -= empty ? bits : 0;
    if (sum.high >> (bits - 1)) { /* after a whole word */
        sum = NAME(shift_right)(sum, 1);
        exponent += 1;
    }
    up = NAME(leading_zeros)(sum.high) - 1;
    sum = NAME(shift_left)(sum, up);
    exponent -= up;
    const int extra = bits - 3 - WIDTH;
    BITS rest = (sum.high & (((BITS)1 << extra) - 1)) | sum.low;
    return NAME(pack)(sign, exponent, sum.high >> extra | (rest != 0));
}

/* The rest of |a| by |b| (finite, b not 0) as a significand below *divisor's, and whether the quotient is odd. */
static BITS NAME(remainder_bits)(BITS ma, BITS mb, int *exponent, BITS *odd)
{
    int ea, eb;
    BITS r = NAME(unpack)(ma, &ea), divisor = NAME(unpack)(mb, &eb);
    int left = ea - eb;
    *odd = r >= divisor;
    r -= r >= divisor ? divisor : 0;
    while (left > 0) {
        int step = left < (int)sizeof(BITS) * 8 - WIDTH ? left : (int)sizeof(BITS) * 8 - WIDTH;
        r <<= step;
        *odd = r / divisor & 1;
        r %= divisor;
        left -= step;
    }
    *exponent = eb;
    return r;
}

static REAL NAME(soft_fmod)(REAL a, REAL b, BITS *odd)
{
    const BITS sign_bit = (BITS)1 << (sizeof(BITS) * 8 - 1);
    const BITS infinity = (BITS)(2 * NAME(bias) + 1) << NAME(fraction);
    BITS ma = NAME(bits)(a) & ~sign_bit, mb = NAME(bits)(b) & ~sign_bit;
    *odd = 0;
    if (ma >= infinity || mb > infinity || mb == 0)
        return NAME(real)(infinity | infinity >> 1);
    if (ma < mb)
        return a;
    int exponent;
    BITS sign = NAME(bits)(a) & sign_bit, r = NAME(remainder_bits)(ma, mb, &exponent, odd);
    if (!r)
        return NAME(real)(sign);
    int up = NAME(leading_zeros)(r) - ((int)sizeof(BITS) * 8 - WIDTH);
    return NAME(pack)(sign, exponent - up, r << up << 2);
}

static REAL NAME(soft_remainder)(REAL a, REAL b)
{
    const BITS sign_bit = (BITS)1 << (sizeof(BITS) * 8 - 1);
    BITS odd;
    REAL m = NAME(soft_fmod)(a, b, &odd), r = NAME(magnitude)(m), d = NAME(magnitude)(b);
    REAL other = d - r;
    r = r > other || (r == other && odd) ? r - d : r;
    return NAME(real)(NAME(bits)(r) ^ (NAME(bits)(a) & sign_bit));
}

/* x * 2^n, rounded once. */
static REAL NAME(soft_ldexp)(REAL x, int n)
{
    const BITS sign_bit = (BITS)1 << (sizeof(BITS) * 8 - 1);
    const BITS infinity = (BITS)(2 * NAME(bias) + 1) << NAME(fraction);
    BITS magnitude = NAME(bits)(x) & ~sign_bit;
    if (magnitude == 0 || magnitude >= infinity)
        return x;
    int e, limit = 4 * NAME(bias);
    BITS f = NAME(unpack)(magnitude, &e);
    n = n > limit ? limit : n < -limit ? -limit : n;
    return NAME(pack)(NAME(bits)(x) & sign_bit, e + n, f << 2);
}
