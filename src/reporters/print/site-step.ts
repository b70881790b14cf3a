/** Next step for a recorded site, taken from the common ranking of steps. */
import { stepsOf } from '../../core/steps.ts';
import type { AnalyzedRecording, Traffic } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Step } from '../../model/documents/step.ts';
import { mainRun } from '../../model/report/runs.ts';
import type { Wording } from '../../model/report/wording.ts';
import { adviceShort, adviceWithGain } from './answer-rows.ts';

/** An analyzed site of a recording. */
export interface SiteRow {
  payload: PayloadReport;
  traffic: Traffic;
  /** Run on the runtime of the program; null if none could be analyzed. */
  run: Run | null;
  /** Steps that hold on the runtime of the program. */
  steps: readonly Step[];
  step: NextStep;
}

interface NextStep {
  short: string;
  savesMs: number | null;
}

/** Null if the payload does not belong to this recording. */
export function toSiteRow(
  payload: PayloadReport,
  recording: AnalyzedRecording,
  words: Wording,
): SiteRow | null {
  const { traffic, source } = payload;
  if (traffic === undefined || source.file !== recording.file) return null;
  const run = mainRun(payload, recording.runtime);
  const steps = stepsOf({ runs: run === null ? [] : [run], traffic });
  return { payload, traffic, run, steps, step: nextStep(steps, run, words) };
}

/** First step in a few words, for tables. A loss is skipped here: the section of the payload names it. */
function nextStep(steps: readonly Step[], run: Run | null, words: Wording): NextStep {
  const step = steps.find(({ kind }) => kind !== 'lost');
  if (step === undefined) return { short: run === null ? '' : adviceShort(run), savesMs: null };
  const { kind, remedy = '', gain = null, traffic, savesMs } = step;
  if (kind === 'rejected') return { short: 'fix the causes', savesMs };
  if (kind === 'fewer') return { short: 'no rewrite', savesMs };
  if (kind === 'rewrite') return { short: adviceWithGain(remedy, gain), savesMs };
  return { short: (traffic && words.traffic[traffic]?.short) ?? '', savesMs };
}
