import { linesOf, worthFrom } from '../../core/advise/effort.ts';
import type { Plan } from '../../model/documents/trial.ts';
import { triedIn } from '../../model/rules/tried.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { codeOfCalls } from '../../remedies/code/tried-calls.ts';
import { remedyNamed, SIMPLEST_FIRST } from '../../remedies/index.ts';
import type { RunContext } from './run-context.ts';

/** By id of the rewrite: how much it must gain for its lines of code and what it costs. */
export function worthOf(variants: readonly Variant[], context: RunContext): Record<string, number> {
  const { codeOf, costsOf } = remedyFacts(context);
  const worth = ({ remedy, plan }: Variant) =>
    worthFrom({
      lines: linesOf(remedy && plan ? codeOf(remedy, plan) : null),
      costs: remedy === null ? [] : costsOf(remedy),
    });
  return Object.fromEntries(variants.map((variant) => [variant.id, worth(variant)]));
}

/** What advice says of rewrites. */
export const remedyFacts = ({ channel, recipe: { via = null } }: RunContext) => ({
  simplestFirst: SIMPLEST_FIRST,
  codeOf: (name: string, plan: Plan) => {
    const calls = triedIn(plan)?.calls;
    return calls
      ? codeOfCalls(calls, { channel, via })
      : (remedyNamed(name)?.code(plan, { channel, via }) ?? null);
  },
  costsOf: (name: string) => remedyNamed(name)?.costs ?? [],
});
