//===- exact.cpp - functions rounded as IEEE 754 says ---------------------===//
//
// Exponents are biased and kept in integers of the numbers' width; they may
// leave the range, below 0 as well. "Packing" takes a significand with two
// more bits than fit, the last one sticky.
//
//===----------------------------------------------------------------------===//

#include "spirv/exact.h"
#include "spirv/exact_builder.h"
#include <spirv/unified1/GLSL.std.450.h>

namespace ampc::spirv {

namespace {

using Pair = ExactBuilder::Pair;
using Variable = ExactBuilder::Variable;

/// The significand of a number that is not 0, normalised, and its exponent.
struct Unpacked {
  Value Significand, Exponent;
};

class Functions : public ExactBuilder {
public:
  using ExactBuilder::ExactBuilder;
  Value body(Exact Which, llvm::ArrayRef<Value> Args);

private:
  Value divide(Value A, Value B);
  Value deviceDivide(Value A, Value B);
  Value fastDivide(Value A, Value B);
  Value softDivide(Value A, Value B);
  Value sqrt(Value X);
  Value fastSqrt(Value X);
  Value softSqrt(Value X);
  Value multiplyAdd(Value A, Value B, Value C);
  Value softFma(Value A, Value B, Value C);
  Value fmod(Value A, Value B, bool Nearest);
  Value ldexp(Value X, Value N);

  Value isMiddling(Value Bits);
  Value leftOf(Value Significand);
  Unpacked unpack(Value Magnitude);
  Value pack(Value Sign, Value Exponent, Value Significand);
  Pair product(Value A, Value B);
  Pair shiftLeft(Pair X, Value Count);
  Pair shiftRight(Pair X, Value Count);
  Pair select(Value Condition, Pair True, Pair False);
  using ExactBuilder::select;
};

} // namespace

// The pieces.

/// Exponents in the middle half of the range: neither a quotient of two nor the
/// rest of a division comes near its ends.
Value Functions::isMiddling(Value Bits) {
  uint64_t Low = Bias - Bias / 2 + 1, Count = Bias - 2;
  Value Exponent = Bits & infinity();
  return Exponent - (Low << fraction()) < bits(Count << fraction());
}

/// How far a significand must go up to be normalised.
Value Functions::leftOf(Value Significand) {
  return leadingZeros(Significand) - (Width - Precision);
}

Unpacked Functions::unpack(Value Magnitude) {
  Value Exponent = Magnitude >> fraction();
  Value IsNormal = Exponent != 0;
  Value Hidden = select(IsNormal, bits(uint64_t(1) << fraction()), bits(0));
  Value Significand = (Magnitude & mask(fraction())) | Hidden;
  Value Up = leftOf(Significand);
  return {Significand << Up, select(IsNormal, Exponent, bits(1)) - Up};
}

/// The significand is normalised.
Value Functions::pack(Value Sign, Value Exponent, Value Significand) {
  Value Down = bits(1) - Exponent;
  Value IsDenormal = signedLess(bits(0), Down);
  Value Most = bits(Precision + 2);
  Down = select(IsDenormal, select(signedLess(Most, Down), Most, Down),
                bits(0));
  Value Lost = Significand & ((bits(1) << Down) - 1);
  Significand = (Significand >> Down) | toBits(Lost != 0);
  Value Rest = Significand & 3;
  Significand = Significand >> 2;
  Value IsUp = Rest > 2 || (Rest == 2 && (Significand & 1) != 0);
  Significand = Significand + toBits(IsUp);
  // The hidden bit adds one to the exponent.
  Value High = select(IsDenormal, bits(0), Exponent - 1);
  Value Result = (High << fraction()) + Significand;
  Value IsTooBig =
      !signedLess(High, bits(2 * Bias)) || Result > infinity();
  return realOf(select(IsTooBig, infinity(), Result) | Sign);
}

/// From products of halves.
Pair Functions::product(Value A, Value B) {
  unsigned Half = Width / 2;
  Value HighA = A >> Half, LowA = A & mask(Half);
  Value HighB = B >> Half, LowB = B & mask(Half);
  Value Low = LowA * LowB;
  Value Cross = HighA * LowB + (Low >> Half);
  Value Other = LowA * HighB + (Cross & mask(Half));
  return {HighA * HighB + (Cross >> Half) + (Other >> Half),
          (Other << Half) | (Low & mask(Half))};
}

Pair Functions::select(Value Condition, Pair True, Pair False) {
  return {select(Condition, True.High, False.High),
          select(Condition, True.Low, False.Low)};
}

/// Count < Width.
Pair Functions::shiftLeft(Pair X, Value Count) {
  Value Across = (X.Low >> 1) >> (bits(Width - 1) - Count);
  return {(X.High << Count) | Across, X.Low << Count};
}

/// What falls out sticks to the last bit.
Pair Functions::shiftRight(Pair X, Value Count) {
  Count = select(Count >= 2 * Width, bits(2 * Width - 1), Count);
  Value IsWord = Count >= Width;
  Value Lost = select(IsWord, X.Low, bits(0));
  X = select(IsWord, {bits(0), X.High}, X);
  Count = Count & (Width - 1);
  Lost = Lost | (X.Low & ((bits(1) << Count) - 1));
  Value Across = (X.High << 1) << (bits(Width - 1) - Count);
  Value Low = (X.Low >> Count) | Across | toBits(Lost != 0);
  return {X.High >> Count, Low};
}

// Division.

Value Functions::divide(Value A, Value B) {
  Variable Result = variable(real(0));
  when(
      specified(SpecIeeeDivision), [&] { set(Result, deviceDivide(A, B)); },
      [&] {
        Value IsFast = specified(SpecFusedFma) && isMiddling(bitsOf(A)) &&
                       isMiddling(bitsOf(B));
        when(
            IsFast, [&] { set(Result, fastDivide(A, B)); },
            [&] { set(Result, call(Exact::SoftDivide, {A, B})); });
      });
  return get(Result);
}

/// The device's quotient, but where an operand is zero: llvmpipe's optimiser
/// takes 0 / x for 0 and x / 0 for 0 when it knows the zero.
Value Functions::deviceDivide(Value A, Value B) {
  Value Sign = (bitsOf(A) ^ bitsOf(B)) & signBit();
  Value SizeA = bitsOf(A) & mask(Width - 1);
  Value SizeB = bitsOf(B) & mask(Width - 1);
  Value IsNoNumber = SizeA > infinity() || SizeB > infinity() ||
                     (SizeA | SizeB) == 0;
  Value Size = select(SizeA == 0, bits(0), infinity());
  Value OfZero = select(IsNoNumber, quietNaN(), Size | Sign);
  return realOf(
      select(SizeA == 0 || SizeB == 0, OfZero, bitsOf(A / B)));
}

/// From a reciprocal of the precision of a float, at least. The rest R of a
/// quotient that is less than a unit off is exact, and so is that of its
/// neighbour on the side of A / B: the smaller one wins. No quotient lies in
/// the middle between two numbers.
Value Functions::fastDivide(Value A, Value B) {
  Value Y = real(1) / B, MinusB = -B;
  Value Q = A * Y;
  Value R = fma(MinusB, Q, A);
  for (unsigned Round = 0; Round != (Width == 32 ? 1 : 2); ++Round) {
    Q = fma(R, Y, Q);
    R = fma(MinusB, Q, A);
  }
  Value Side = (bitsOf(R) ^ bitsOf(B) ^ bitsOf(Q)) >> (Width - 1);
  Value Neighbour = realOf(bitsOf(Q) + 1 - (Side << 1));
  Value IsCloser = magnitude(fma(MinusB, Neighbour, A)) < magnitude(R);
  return select(IsCloser, Neighbour, Q);
}

/// Digit by digit.
Value Functions::softDivide(Value A, Value B) {
  Value Sign = (bitsOf(A) ^ bitsOf(B)) & signBit();
  Value MA = bitsOf(magnitude(A)), MB = bitsOf(magnitude(B));
  Value IsNaN = MA > infinity() || MB > infinity() ||
                (MA == MB && (MA == 0 || MA == infinity()));
  Value IsZero = MA == 0 || MB == infinity();
  Value IsInfinite = MA == infinity() || MB == 0;
  Value Special = select(IsInfinite, infinity(), bits(0)) | Sign;
  Variable Result =
      variable(realOf(select(IsNaN, quietNaN(), Special)));
  when(!(IsNaN || IsZero || IsInfinite), [&] {
    Unpacked N = unpack(MA), D = unpack(MB);
    Value IsLess = N.Significand < D.Significand;
    Value Exponent = N.Exponent - D.Exponent + Bias - toBits(IsLess);
    Variable Rest = variable(N.Significand << toBits(IsLess));
    Variable Quotient = variable(bits(0)), Left = variable(bits(Precision + 1));
    loop([&] { return get(Left) != 0; },
         [&] {
           Value R = get(Rest);
           Value Fits = R >= D.Significand;
           set(Quotient, (get(Quotient) << 1) | toBits(Fits));
           set(Rest, (R - select(Fits, D.Significand, bits(0))) << 1);
           set(Left, get(Left) - 1);
         });
    Value Digits = (get(Quotient) << 1) | toBits(get(Rest) != 0);
    set(Result, pack(Sign, Exponent, Digits));
  });
  return get(Result);
}

// Square root.

Value Functions::sqrt(Value X) {
  Variable Result = variable(real(0));
  when(
      specified(SpecIeeeDivision),
      [&] { set(Result, extended(GLSLstd450Sqrt, X)); },
      [&] {
        Value IsPositive = bitsOf(X) < signBit();
        Value IsFast =
            specified(SpecFusedFma) && IsPositive && isMiddling(bitsOf(X));
        when(
            IsFast, [&] { set(Result, fastSqrt(X)); },
            [&] { set(Result, call(Exact::SoftSqrt, {X})); });
      });
  return get(Result);
}

/// From a reciprocal root of the precision of a float. Tuckerman's test: G is
/// the rounded root exactly if G * pred(G) < X <= G * succ(G).
Value Functions::fastSqrt(Value X) {
  Value Y = extended(GLSLstd450InverseSqrt, X);
  Value G = X * Y, H = Y * real(0.5);
  Value R = fma(-H, G, real(0.5));
  G = fma(G, R, G);
  if (Width == 64) {
    H = fma(H, R, H);
    R = fma(-H, G, real(0.5));
    G = fma(G, R, G);
  }
  Value Below = realOf(bitsOf(G) - 1), Above = realOf(bitsOf(G) + 1);
  Value Minus = -G;
  Value Root = select(fma(Minus, Below, X) <= real(0), Below, G);
  return select(fma(Minus, Above, X) > real(0), Above, Root);
}

/// Digit by digit, two of X's for one of the root.
Value Functions::softSqrt(Value X) {
  Value Bits = bitsOf(X);
  Value IsSame = (Bits & (signBit() - bits(1))) == 0 || Bits == infinity();
  Value IsNaN = !IsSame && Bits > infinity();
  Variable Result =
      variable(realOf(select(IsSame, Bits, quietNaN())));
  when(!(IsSame || IsNaN), [&] {
    Unpacked U = unpack(Bits);
    Value Power = U.Exponent - Bias;
    Value Odd = Power & 1;
    Variable Digits =
        variable(U.Significand << (Odd + (Width - Precision - 1)));
    Variable Root = variable(bits(0)), Rest = variable(bits(0)),
             Left = variable(bits(Precision + 1));
    loop([&] { return get(Left) != 0; },
         [&] {
           Value R = (get(Rest) << 2) | (get(Digits) >> (Width - 2));
           set(Digits, get(Digits) << 2);
           Value Trial = (get(Root) << 2) | 1;
           Value Fits = R >= Trial;
           set(Root, (get(Root) << 1) | toBits(Fits));
           set(Rest, R - select(Fits, Trial, bits(0)));
           set(Left, get(Left) - 1);
         });
    // Power - Odd is even and may be negative.
    Value Half = emit(spv::Op::OpShiftRightArithmetic, Value::Bits,
                      {(Power - Odd).I, bits(1).I});
    set(Result, pack(bits(0), Half + Bias,
                     (get(Root) << 1) | toBits(get(Rest) != 0)));
  });
  return get(Result);
}

// A product and a sum, rounded once.

Value Functions::multiplyAdd(Value A, Value B, Value C) {
  Variable Result = variable(real(0));
  when(
      specified(SpecFusedFma), [&] { set(Result, fma(A, B, C)); },
      [&] { set(Result, call(Exact::SoftFma, {A, B, C})); });
  return get(Result);
}

/// Product and addend are brought to two words whose last bit but one leads.
Value Functions::softFma(Value A, Value B, Value C) {
  Value MA = bitsOf(magnitude(A)), MB = bitsOf(magnitude(B)),
        MC = bitsOf(magnitude(C));
  Value IsSpecial =
      MA == 0 || MB == 0 || MA >= infinity() || MB >= infinity();
  Value Product = A * B;
  Value AddsNaught = select(MC == 0, Product, C);
  Variable Result =
      variable(select(IsSpecial, Product + C, AddsNaught));
  when(!(IsSpecial || MC >= infinity() || MC == 0), [&] {
    Unpacked UA = unpack(MA), UB = unpack(MB), UC = unpack(MC);
    Pair P = shiftLeft(product(UA.Significand, UB.Significand),
                       bits(2 * Width - 2 * Precision - 1));
    Value Up = bits(1) - (P.High >> (Width - 2));
    P = shiftLeft(P, Up);
    Value ExponentP = UA.Exponent + UB.Exponent - (Bias - 1) - Up;
    Pair S{UC.Significand << (Width - 1 - Precision), bits(0)};
    Value SignP = (bitsOf(A) ^ bitsOf(B)) & signBit(),
          SignC = bitsOf(C) & signBit();

    // The larger one's sign; the smaller one goes down to its exponent.
    Value IsLess = P.High < S.High || (P.High == S.High && P.Low < S.Low);
    Value Swap = signedLess(ExponentP, UC.Exponent) ||
                 (ExponentP == UC.Exponent && IsLess);
    Pair Big = select(Swap, S, P), Small = select(Swap, P, S);
    Value Exponent = select(Swap, UC.Exponent, ExponentP);
    Value Sign = select(Swap, SignC, SignP), Differ = SignP != SignC;
    Small = shiftRight(Small, Exponent - select(Swap, ExponentP, UC.Exponent));

    // A difference is a sum with the complement.
    Small = select(Differ, {~Small.High, ~Small.Low}, Small);
    Value One = toBits(Differ);
    Value Low = Big.Low + Small.Low;
    Value Carry = Low < Big.Low;
    Low = Low + One;
    Carry = Carry || Low < One;
    Pair Sum{Big.High + Small.High + toBits(Carry), Low};

    Variable Total = variable(real(0));
    when((Sum.High | Sum.Low) != 0, [&] {
      Value Down = Sum.High >> (Width - 1);
      Pair X = shiftRight(Sum, Down);
      Value E = Exponent + Down;
      Value IsEmpty = X.High == 0;
      X = select(IsEmpty, {X.Low, bits(0)}, X);
      E = E - select(IsEmpty, bits(Width), bits(0));
      Down = X.High >> (Width - 1); // the word that moved up is full
      X = shiftRight(X, Down);
      Value Left = leadingZeros(X.High) - 1;
      X = shiftLeft(X, Left);
      E = E + Down - Left;
      unsigned Extra = Width - 3 - Precision;
      Value Rest = (X.High & mask(Extra)) | X.Low;
      set(Total, pack(Sign, E, (X.High >> Extra) | toBits(Rest != 0)));
    });
    set(Result, get(Total));
  });
  return get(Result);
}

// Remainders.

/// fmod, or remainder (Nearest): division by as many digits at a time as fit
/// behind the rest.
Value Functions::fmod(Value A, Value B, bool Nearest) {
  Value MA = bitsOf(magnitude(A)), MB = bitsOf(magnitude(B));
  Value Sign = bitsOf(A) & signBit();
  Value IsNaN = MA >= infinity() || MB > infinity() || MB == 0;
  // Of the magnitudes.
  Variable Result = variable(realOf(select(IsNaN, quietNaN(), MA)));
  Variable Odd = variable(bits(0));
  when(!(IsNaN || MA < MB), [&] {
    Unpacked N = unpack(MA), D = unpack(MB);
    Value Fits = N.Significand >= D.Significand;
    Variable Rest =
        variable(N.Significand - select(Fits, D.Significand, bits(0)));
    set(Odd, toBits(Fits));
    Variable Left = variable(N.Exponent - D.Exponent);
    loop([&] { return get(Left) != 0; },
         [&] {
           Value Most = bits(Width - Precision), All = get(Left);
           Value Step = select(All < Most, All, Most);
           Value R = get(Rest) << Step;
           Value Q = R / D.Significand;
           set(Odd, Q & 1);
           set(Rest, R - Q * D.Significand);
           set(Left, All - Step);
         });
    set(Result, real(0));
    Value R = get(Rest);
    when(R != 0, [&] {
      Value Up = leftOf(R);
      set(Result, pack(bits(0), D.Exponent - Up, (R << Up) << 2));
    });
  });
  if (Nearest) {
    // Compared by bits: a device may take denormals for zeros.
    Value R = get(Result), Divisor = realOf(MB);
    Value Near = bitsOf(R), Far = bitsOf(Divisor - R);
    Value IsFar = Near > Far || (Near == Far && get(Odd) != 0);
    set(Result, select(IsFar, R - Divisor, R));
  }
  return realOf(bitsOf(get(Result)) ^ Sign);
}

/// X * 2^N, rounded once.
Value Functions::ldexp(Value X, Value N) {
  if (Width == 64) // an int that was extended without its sign
    N = (N ^ 0x80000000u) - 0x80000000u;
  Value Magnitude = bitsOf(magnitude(X));
  Variable Result = variable(X);
  when(!(Magnitude == 0 || Magnitude >= infinity()), [&] {
    Unpacked U = unpack(Magnitude);
    Value Limit = bits(4 * Bias);
    Value Least = bits(Width == 32 ? uint32_t(-4 * Bias) : -4 * Bias);
    Value Steps = select(signedLess(Limit, N), Limit,
                         select(signedLess(N, Least), Least, N));
    set(Result, pack(bitsOf(X) & signBit(), U.Exponent + Steps,
                     U.Significand << 2));
  });
  return get(Result);
}

// The functions as such.

Value Functions::body(Exact Which, llvm::ArrayRef<Value> Args) {
  switch (Which) {
  case Exact::Divide:
    return divide(Args[0], Args[1]);
  case Exact::Sqrt:
    return sqrt(Args[0]);
  case Exact::Fma:
    return multiplyAdd(Args[0], Args[1], Args[2]);
  case Exact::Fmod:
  case Exact::Remainder:
    return fmod(Args[0], Args[1], Which == Exact::Remainder);
  case Exact::Ldexp:
    return ldexp(Args[0], Args[1]);
  case Exact::SoftDivide:
    return softDivide(Args[0], Args[1]);
  case Exact::SoftSqrt:
    return softSqrt(Args[0]);
  case Exact::SoftFma:
    return softFma(Args[0], Args[1], Args[2]);
  }
  return {};
}

namespace {
struct Shape {
  const char *Name;
  unsigned Operands;
  bool Short; ///< inlined where it is called from few places
};
} // namespace

static Shape shapeOf(Exact Which) {
  switch (Which) {
  case Exact::Divide:
    return {"divide", 2, true};
  case Exact::Sqrt:
    return {"sqrt", 1, true};
  case Exact::Fma:
    return {"fma", 3, true};
  case Exact::Fmod:
    return {"fmod", 2, false};
  case Exact::Remainder:
    return {"remainder", 2, false};
  case Exact::Ldexp:
    return {"ldexp", 2, false};
  case Exact::SoftDivide:
    return {"soft_divide", 2, false};
  case Exact::SoftSqrt:
    return {"soft_sqrt", 1, false};
  case Exact::SoftFma:
    return {"soft_fma", 3, false};
  }
  return {};
}

/// The function, written when it is first wanted, amid another one.
Id Emitter::exactFunction(Exact Which, unsigned Width) {
  ExactFunction &F = ExactFunctions[{Which, Width}];
  ++F.Calls;
  if (F.Function)
    return F.Function;
  F.Function = W.newId();
  Words OuterVariables = std::exchange(Variables, {}),
        OuterCode = std::exchange(Code, {});
  bool OuterDead = std::exchange(Dead, false);
  size_t OuterStart = std::exchange(BlockStart, 0);

  Functions B(*this, Width);
  Shape S = shapeOf(Which);
  Id Real = B.typeOf(Value::Real);
  Words Params;
  std::vector<Id> Types;
  llvm::SmallVector<Value, 3> Args;
  for (unsigned I = 0; I != S.Operands; ++I) {
    Value::Kind Kind =
        Which == Exact::Ldexp && I == 1 ? Value::Bits : Value::Real;
    Args.push_back({&B, W.newId(), Kind});
    Types.push_back(B.typeOf(Kind));
    append(Params, spv::Op::OpFunctionParameter, {Types[I], Args[I].I});
  }
  Value Result = B.body(Which, Args);
  endBlock(spv::Op::OpReturnValue, {Result.I});
  if (O.Debug)
    W.name(F.Function, std::string("ieee_") + S.Name + std::to_string(Width));

  Words &Out = W.functions();
  F.Control = Out.size() + 3;
  append(Out, spv::Op::OpFunction,
         {Real, F.Function,
          S.Short ? 0 : uint32_t(spv::FunctionControlMask::DontInline),
          W.functionType(Real, Types)});
  Out.insert(Out.end(), Params.begin(), Params.end());
  append(Out, spv::Op::OpLabel, {W.newId()});
  Out.insert(Out.end(), Variables.begin(), Variables.end());
  Out.insert(Out.end(), Code.begin(), Code.end());
  append(Out, spv::Op::OpFunctionEnd, {});
  Variables = std::move(OuterVariables);
  Code = std::move(OuterCode);
  Dead = OuterDead;
  BlockStart = OuterStart;
  LastLine = kir::Loc();
  return F.Function;
}

/// Short functions that many places call stay functions.
void Emitter::limitInlining() {
  constexpr unsigned Few = 32;
  for (const auto &[Key, F] : ExactFunctions)
    if (F.Calls > Few)
      W.functions()[F.Control] =
          uint32_t(spv::FunctionControlMask::DontInline);
}

/// Calls Which for each lane.
Id Emitter::exact(Exact Which, const kir::Type *Ty, llvm::ArrayRef<Id> Args) {
  unsigned Width = Ty->scalar()->Width;
  Id Scalar = T.value(Ty->scalar());
  auto Call = [&](llvm::ArrayRef<Id> Operands) {
    llvm::SmallVector<Id, 4> All{exactFunction(Which, Width)};
    All.append(Operands.begin(), Operands.end());
    return emit(spv::Op::OpFunctionCall, Scalar, All);
  };
  if (!Ty->isVector())
    return Call(Args);
  llvm::SmallVector<Id, 4> Lanes;
  for (unsigned Lane = 0; Lane != Ty->Count; ++Lane) {
    llvm::SmallVector<Id, 3> Operands;
    for (Id Arg : Args)
      Operands.push_back(
          emit(spv::Op::OpCompositeExtract, Scalar, {Arg, Lane}));
    Lanes.push_back(Call(Operands));
  }
  return emit(spv::Op::OpCompositeConstruct, T.value(Ty), Lanes);
}

} // namespace ampc::spirv
