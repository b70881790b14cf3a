import type { Plan } from '../../model/documents/trial.ts';
import { asPasted } from './dialect.ts';

/**
 * Compiles emitted code: the code that the user gets is the proven code.
 *
 * @param names functions that it may declare; missing functions are undefined
 */
export function functionsOf<F>(source: string, names: readonly (keyof F & string)[]): F {
  const found = names.map((name) => `${name}: typeof ${name} === 'undefined' ? undefined : ${name}`);
  // biome-ignore lint/style/noRestrictedGlobals: of the tool's own code.
  return new Function(`"use strict";\n${asPasted(source)}\nreturn { ${found.join(', ')} };`)() as F;
}

/** Memoizes `make` per plan. Each thread that proves or measures has its own plans. */
export function oncePerPlan<T>(make: (plan: Plan) => T): (plan: Plan) => T {
  const made = new WeakMap<Plan, T>();
  return (plan) => {
    const one = made.get(plan) ?? make(plan);
    made.set(plan, one);
    return one;
  };
}
