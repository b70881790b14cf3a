/** The payload over the other channel between processes, which is timed beside the rewrites. */
import { toldLosses } from '../../core/classify/losses.ts';
import type { PostContext } from '../../core/classify/match.ts';
import type { Judgement } from '../../core/measure/judge.ts';
import { judgeRatio } from '../../core/stats/decision.ts';
import { filter, map } from '../../core/value/lists.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { ChannelChange } from '../../model/documents/classification.ts';
import type { OtherChannel, Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { type Channel, IPC_CHANNELS, otherIpc } from '../../model/names.ts';
import type { LossKind } from '../../model/rules/loss.ts';
import type { Engine, RuleBook } from '../../model/rules/rule.ts';
import type { Variant } from '../../model/wire/wire.ts';

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

/** A loss by which the message is refused differs from one by which a value arrives otherwise. */
const without = (some: readonly Told[], others: readonly Told[]): ChannelChange[] =>
  map(
    filter(
      some,
      (one) => !others.some((other) => other.pattern === one.pattern && isRefusal(other) === isRefusal(one)),
    ),
    ({ rule, pattern, example, count }) => ({ rule, path: count === 1 ? example : pattern, count }),
  );

export const OTHER_CHANNEL = 'other-channel';

/** Null if there is no other channel. What that channel refuses is not timed. */
export function otherChannelOf({ runtime, channel, shape }: Run) {
  if (!IPC_CHANNELS.includes(channel) || shape === null) return null;
  const to = otherIpc(channel);
  const engine = ENGINES[runtime.engine];
  const { isRefused, kept, lost } = channelChange(shape, engine, STANDARD, { runtime, channel }, to);
  const variant: Variant = { id: OTHER_CHANNEL, remedy: null, plan: null, mode: OTHER_CHANNEL, channel: to };
  return { channel: to, kept, lost, variants: isRefused ? [] : [variant] };
}

/** What the timing says of the other channel. */
export function judgedOther(
  other: ReturnType<typeof otherChannelOf>,
  { otherChannel: ratio }: Judgement,
): { otherChannel?: OtherChannel } {
  if (other === null) return {};
  const { channel, kept, lost, variants } = other;
  const outcome = variants.length === 0 ? 'refused' : judgeRatio(ratio);
  return { otherChannel: { channel, ratio, outcome, kept, lost } };
}
