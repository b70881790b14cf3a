import { describe } from '../../core/describe/describe.ts';
import { otherThan, type ValueFacts, valueFacts } from '../../core/gate/value-facts.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { probeFor } from '../../probe/probe.ts';
import { build } from './materialize.ts';

/** Number of evaluations of a payload that is not a factory: each evaluation may be slow. */
const EVALUATIONS = 2;

/** "331 values, not 2"; null for a value with these facts. */
async function otherFacts(value: unknown, expected: ValueFacts): Promise<string | null> {
  return otherThan(expected, valueFacts(describe(value, await probeFor({ ask: false }))));
}

/** Builds again: "called again it gives 331 values, not 2". Null if the facts stay. @throws ToolError of the build */
export async function varyingFacts(
  recipe: Recipe,
  expected: ValueFacts,
  calls: number,
): Promise<string | null> {
  for (let call = 1; call <= calls; call++) {
    const { value, how } = await build(recipe);
    const other = await otherFacts(value, expected);
    if (other !== null) return `called again it gives ${other}`;
    if (how !== 'built' && call === EVALUATIONS) break;
  }
  return null;
}

/** @throws ToolError 'measure-failed' if the facts of the value differ from the recipe's facts */
export async function assertFacts({ facts }: Recipe, value: unknown): Promise<void> {
  const other = facts === undefined ? null : await otherFacts(value, facts);
  if (other === null) return;
  const detail = `the module makes another value while it is measured (${other}): read files beside it, by import.meta.dirname`;
  throw new ToolError('measure-failed', { detail });
}
