import type { Plan } from '../../model/documents/trial.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import { triedIn } from '../../model/rules/tried.ts';
import { remedyNamed } from '../../remedies/index.ts';
import { STRATEGIES } from '../../remedies/strategies/index.ts';
import { loadTried, type Rewrite } from './tried-module.ts';

/** @throws Error for an unknown name */
export function remedyByName(name: string): Remedy {
  const strategies: Record<string, Remedy> = STRATEGIES;
  const remedy = remedyNamed(name) ?? (Object.hasOwn(strategies, name) ? strategies[name] : undefined);
  if (!remedy) throw new Error(`unknown remedy '${name}'`);
  return remedy;
}

/** The remedy of that name, or the user's module that the plan names. @throws what loading that throws */
export async function rewriteFor(name: string, plan: Plan | null): Promise<Rewrite> {
  const tried = triedIn(plan);
  return tried ? (await loadTried(tried)).rewrite : remedyByName(name);
}
