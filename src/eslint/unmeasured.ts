/** A recording as a report that nobody has measured: verdicts, findings and traffic, without advice. */
import { classify } from '../core/classify/classify.ts';
import { channelOf } from '../core/recording/sites/channel-of.ts';
import { lintOf } from '../core/recording/sites/lint.ts';
import { isSignal } from '../core/recording/sites/signal.ts';
import { ENGINES, STANDARD } from '../engines/index.ts';
import type { RecordedMessages, RecordingHeader } from '../model/documents/recorded/recording.ts';
import type { PayloadReport, Run } from '../model/documents/report.ts';

export function unmeasured(one: RecordedMessages, header: RecordingHeader, file: string): PayloadReport {
  const { shape, sample: _, ...facts } = one;
  const signal = shape !== null && isSignal(shape, one.envelope);
  const lint = lintOf(facts, { cost: null, measurement: null, isSignal: signal, isLike: false });
  return {
    id: file,
    source: { file, export: null },
    error: null,
    traffic: { ...facts, cost: null, lint, values: null },
    runs: classified(one, header),
  };
}

function classified(one: RecordedMessages, header: RecordingHeader): Run[] {
  const runtime = one.runtime ?? header.runtime;
  if (one.shape === null || runtime === null) return [];
  const channel = channelOf(one);
  const transferring = one.transfer.listed > 0;
  const { verdict, findings } = classify(one.shape, ENGINES[runtime.engine], STANDARD, {
    ...{ runtime, channel, transferring },
  });
  return [
    {
      ...{ runtime, channel, status: 'classified', error: null, shape: null, verdict, findings },
      ...{ wireBytes: null, measurement: null, trials: [], advice: null },
    },
  ];
}
