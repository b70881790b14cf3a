import type { Remedy } from '../model/remedy.ts';
import { REMEDIES } from '../remedies/index.ts';

/** @throws Error when there is none of that name. */
export function remedyNamed(name: string): Remedy {
  const remedies: Record<string, Remedy> = REMEDIES;
  const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
  if (!remedy) throw new Error(`unknown remedy '${name}'`);
  return remedy;
}
