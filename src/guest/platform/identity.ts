import type { Hello } from '../../model/wire.ts';

function hasNatives(): boolean {
  // Deno takes V8 flags on its command line only; Node takes them at run time.
  try {
    new Function('x', 'return %IsSmi(x)');
    return true;
  } catch {
    return false;
  }
}

/** Which runtime this process is, and what its engine lets us ask. */
export function identity(): Pick<Hello, 'runtime' | 'can'> {
  const { versions } = process;
  if (versions.bun !== undefined) {
    return {
      runtime: { name: 'bun', version: versions.bun, engine: 'jsc', engineVersion: versions.webkit ?? '' },
      can: { natives: false, oracle: true, gc: false },
    };
  }
  if (versions.deno !== undefined) {
    return {
      runtime: { name: 'deno', version: versions.deno, engine: 'v8', engineVersion: versions.v8 },
      can: { natives: hasNatives(), oracle: true, gc: false },
    };
  }
  return {
    runtime: { name: 'node', version: versions.node, engine: 'v8', engineVersion: versions.v8 },
    can: { natives: true, oracle: true, gc: true },
  };
}
