/** What arrives otherwise when messages are posted over another channel, by the rules of both. */
import type { ChannelChange } from '../../model/documents/classification.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Channel } from '../../model/names.ts';
import type { LossKind } from '../../model/rules/loss.ts';
import type { Engine, RuleBook } from '../../model/rules/rule.ts';
import { filter, map } from '../value/lists.ts';
import { toldLosses } from './losses.ts';
import type { PostContext } from './match.ts';

/** JSON text has neither classes nor attributes, and no rule says so of each object. */
const COMPARED: readonly LossKind[] = ['delivery', 'value', 'property'];

/** `kept`: what the other channel would not lose. `lost`: what it would, and this one does not. */
export function channelChange(
  shape: Shape,
  engine: Engine,
  standard: RuleBook,
  context: PostContext,
  to: Channel,
): { kept: ChannelChange[]; lost: ChannelChange[]; isRefused: boolean } {
  const here = lossesOf(shape, engine, standard, context);
  const there = lossesOf(shape, engine, standard, { ...context, channel: to });
  return {
    kept: without(here, there),
    lost: without(there, here),
    isRefused: there.some(({ kinds }) => kinds.includes('delivery')),
  };
}

type Told = ReturnType<typeof lossesOf>[number];

const lossesOf = (shape: Shape, engine: Engine, standard: RuleBook, context: PostContext) =>
  filter(toldLosses(shape, engine, standard, context), ({ kinds }) =>
    kinds.some((kind) => COMPARED.includes(kind)),
  );

const isRefusal = ({ kinds }: Told): boolean => kinds.includes('delivery');

/** A value of a message that is refused is another thing than one that arrives otherwise. */
const without = (some: readonly Told[], others: readonly Told[]): ChannelChange[] =>
  map(
    filter(
      some,
      (one) => !others.some((other) => other.pattern === one.pattern && isRefusal(other) === isRefusal(one)),
    ),
    ({ rule, pattern, example, count }) => ({ rule, path: count === 1 ? example : pattern, count }),
  );
