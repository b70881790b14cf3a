/**
 * ns. `performance.now` is the cheapest fine clock on every runtime that was tried: 35-50 ns a call on Node 20-26 and
 * Bun, 90 ns on Deno, steps no coarser than the call itself; `process.hrtime.bigint` costs 50-60 (110) for the same.
 */
export function now(): number {
  return performance.now() * 1e6;
}
