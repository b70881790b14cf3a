/** What is timed in turns with the payload beside its rewrites: it over another channel, and one that was built later. */
import type { Judgement } from '../../core/measure/judge.ts';
import { judgeRatio } from '../../core/stats/decision.ts';
import { AFTER_RECEIVING } from '../../core/stats/variant-samples.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Variant } from '../../model/wire/wire.ts';
import { judgedOther, otherChannelOf } from './other-channel.ts';

export const variantsBeside = (run: Run): Variant[] => [
  ...(otherChannelOf(run)?.variants ?? []),
  ...(run.builtLater ? [AFTER_RECEIVING] : []),
];

/** What the timing says of them. */
export const judgedBeside = (run: Run, judged: Judgement): Partial<Run> => ({
  ...judgedOther(otherChannelOf(run), judged),
  ...(run.builtLater && {
    builtLater: {
      ...run.builtLater,
      ratio: judged.afterReceiving,
      outcome: judgeRatio(judged.afterReceiving),
    },
  }),
});
