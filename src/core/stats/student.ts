/** Quantiles of the normal and of Student's t distribution, by published approximations instead of tables. */

const ACKLAM = {
  a: [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
    2.506628277459239,
  ],
  b: [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ],
  c: [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  d: [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
} as const;

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** z with P(Z <= z) = p, for 0 < p < 1 (P. J. Acklam's rational approximation, relative error below 1.2e-9). */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p < 0.02425) {
    const tail = Math.sqrt(-2 * Math.log(p));
    return polynomial(ACKLAM.c, tail) / polynomial(ACKLAM.d, tail);
  }
  const centred = p - 0.5;
  const square = centred * centred;
  return (polynomial(ACKLAM.a, square) * centred) / polynomial(ACKLAM.b, square);
}

/**
 * Half-width factor of a two-sided interval: t with P(|T| <= t) = confidence, for `degrees` >= 1, which may be
 * fractional. G. W. Hill, "Algorithm 396: Student's t-quantiles", CACM 13(10), 1970.
 */
export function studentFactor(confidence: number, degrees: number): number {
  const tails = 1 - confidence;
  if (degrees === 1) return 1 / Math.tan((tails * Math.PI) / 2);
  if (degrees === 2) return Math.sqrt(2 / (tails * (2 - tails)) - 2);
  const a = 1 / (degrees - 0.5);
  const b = 48 / (a * a);
  const c = ((20700 * (a / b) - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * degrees;
  const y = (d * tails) ** (2 / degrees);
  if (y <= 0.05 + a) {
    const inner = 1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3);
    const far = ((inner + 0.5 / (degrees + 4)) * y - 1) * ((degrees + 1) / (degrees + 2)) + 1 / y;
    return Math.sqrt(degrees * far);
  }
  const x = normalQuantile(tails / 2);
  const square = x * x;
  const start = degrees < 5 ? c + 0.3 * (degrees - 4.5) * (x + 0.6) : c;
  const e = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + start;
  const z = (((((0.4 * square + 6.3) * square + 36) * square + 94.5) / e - square - 3) / b + 1) * x;
  return Math.sqrt(degrees * Math.expm1(a * z * z));
}
