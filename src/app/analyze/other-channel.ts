/** Times the payload over the other channel between processes, next to the rewrites. */
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

/** Compared kinds of loss. JSON text keeps neither classes nor attributes; no rule says so per object. */
const COMPARED: readonly LossKind[] = ['delivery', 'value', 'property'];

/** Compares losses. `kept`: lost over this channel only. `lost`: lost over the other channel only. */
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

/** Losses that `others` lacks. A refusal of the message and a changed value at the same path are different losses. */
const without = (some: readonly Told[], others: readonly Told[]): ChannelChange[] =>
  map(
    filter(
      some,
      (one) => !others.some((other) => other.pattern === one.pattern && isRefusal(other) === isRefusal(one)),
    ),
    ({ rule, pattern, example, count }) => ({ rule, path: count === 1 ? example : pattern, count }),
  );

export const OTHER_CHANNEL = 'other-channel';

/** Null if there is only one such channel. A message that the other channel refuses is not timed. */
export function otherChannelOf({ runtime, channel, shape }: Run) {
  if (!IPC_CHANNELS.includes(channel) || shape === null) return null;
  const to = otherIpc(channel);
  const engine = ENGINES[runtime.engine];
  const { isRefused, kept, lost } = channelChange(shape, engine, STANDARD, { runtime, channel }, to);
  const variant: Variant = { id: OTHER_CHANNEL, remedy: null, plan: null, mode: OTHER_CHANNEL, channel: to };
  return { channel: to, kept, lost, variants: isRefused ? [] : [variant] };
}

/** Result for the other channel, from the judged samples. */
export function judgedOther(
  other: ReturnType<typeof otherChannelOf>,
  { otherChannel: ratio }: Judgement,
): { otherChannel?: OtherChannel } {
  if (other === null) return {};
  const { channel, kept, lost, variants } = other;
  const outcome = variants.length === 0 ? 'refused' : judgeRatio(ratio);
  return { otherChannel: { channel, ratio, outcome, kept, lost } };
}
