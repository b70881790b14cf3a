export function orElse<T, Otherwise>(run: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

export const attempt = (run: () => void): void => orElse(run, undefined);

export const throws = (run: () => unknown): boolean =>
  orElse(() => {
    run();
    return false;
  }, true);
