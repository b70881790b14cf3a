/** Between processes: the same payload with the other `serialization`, timed in turns with it. */
import { channelChange } from '../../core/classify/channel-change.ts';
import type { Judgement } from '../../core/measure/judge.ts';
import type { SamplingPlan } from '../../core/measure/sampling.ts';
import { judgeRatio } from '../../core/stats/decision.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { OtherChannel, Run } from '../../model/documents/report.ts';
import { IPC_CHANNELS, otherIpc } from '../../model/names.ts';
import type { Proof, Variant } from '../../model/wire/wire.ts';
import type { SampledPayload } from '../sample.ts';
import type { RunContext } from '../tools.ts';
import { sampleWithTries } from './tries.ts';

const MODE = 'other-channel';

/** The payload over the other channel; null where there is none. What it refuses there is not timed. */
export function otherChannelOf({ runtime, channel, shape }: Run) {
  if (!IPC_CHANNELS.includes(channel) || shape === null) return null;
  const to = otherIpc(channel);
  const engine = ENGINES[runtime.engine];
  const { isRefused, kept, lost } = channelChange(shape, engine, STANDARD, { runtime, channel }, to);
  const variant: Variant = { id: MODE, remedy: null, plan: null, mode: MODE, channel: to };
  return { channel: to, kept, lost, variants: isRefused ? [] : [variant] };
}

/** What the timing says of it. */
export function judgedOther(
  other: ReturnType<typeof otherChannelOf>,
  { otherChannel: ratio }: Judgement,
): { otherChannel?: OtherChannel } {
  if (other === null) return {};
  const { channel, kept, lost, variants } = other;
  const outcome = variants.length === 0 ? 'refused' : judgeRatio(ratio);
  return { otherChannel: { channel, ratio, outcome, kept, lost } };
}

/** Where its second process takes the first down with it, the payload is timed without it. */
export async function sampleBeside(
  context: RunContext,
  plan: Omit<SamplingPlan, 'startMs'>,
  proofs: readonly Proof[],
  earlier: SampledPayload,
): ReturnType<typeof sampleWithTries> {
  const all = await sampleWithTries(context, plan, proofs, earlier);
  const { results, error } = all.sampled;
  const variants = plan.variants.filter(({ mode }) => mode !== MODE);
  const isLost = results.length === 0 && error !== null && variants.length < plan.variants.length;
  if (!isLost || context.request.signal?.aborted) return all;
  return sampleWithTries(context, { ...plan, variants }, proofs);
}
