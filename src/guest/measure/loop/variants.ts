import { ToolError } from '../../../model/errors.ts';
import type { Contestant } from '../../../model/wire.ts';
import { sayingOf } from '../../user-code/user-code.ts';
import { Form } from './message-factory.ts';
import { Tally } from './samples.ts';
import type { Source } from './value-source.ts';

/** Everybody who takes part, by their place in the request. */
export interface Entrants {
  forms: Form[];
  tallies: Tally[];
}

/**
 * First values of all. A contestant whose remedy refuses the payload is out, with its reason.
 *
 * @throws ToolError when the payload itself cannot be built
 */
export async function enter(
  contestants: readonly Contestant[],
  source: Source,
  mayTransfer: boolean,
): Promise<Entrants> {
  const entrants: Entrants = { forms: [], tallies: [] };
  for (const contestant of contestants) {
    const form = new Form(contestant, contestant.recipe ? source.of(contestant.recipe) : source);
    const tally = new Tally();
    entrants.forms.push(form);
    entrants.tallies.push(tally);
    try {
      await form.prepare(contestant, mayTransfer);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      tally.error = sayingOf(error);
    }
  }
  return entrants;
}

/** Who can be timed: their places. */
export function fit({ tallies }: Entrants): number[] {
  return tallies.map((_, index) => index).filter((index) => tallies[index]?.error === null);
}
