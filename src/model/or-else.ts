/** What `run` returns, or `otherwise` where it throws. */
export function orElse<T, Otherwise>(run: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
