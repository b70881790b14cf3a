import type { Remedy } from '../../model/rules/remedy.ts';
import { REMEDIES } from '../../remedies/index.ts';
import { STRATEGIES } from '../../remedies/strategies/index.ts';

/** @throws Error for an unknown name */
export function remedyByName(name: string): Remedy {
  const remedies: Record<string, Remedy> = { ...STRATEGIES, ...REMEDIES };
  const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
  if (!remedy) throw new Error(`unknown remedy '${name}'`);
  return remedy;
}
