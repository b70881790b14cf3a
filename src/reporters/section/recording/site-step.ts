/** What to do about a recorded site: one answer, wherever the site is told of. */
import { carries } from '../../../core/evidence.ts';
import type { AnalyzedRecording, Traffic } from '../../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run } from '../../../model/documents/report.ts';
import { mainRun } from '../../../model/report/runs.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { time } from '../../text/numbers.ts';
import { adviceShort } from '../advice/advice.ts';
import { adviceWithGain } from '../advice/answers.ts';

/** A site that was analyzed, and what to do there. */
export interface SiteRow {
  payload: PayloadReport;
  traffic: Traffic;
  /** Null where none could be analyzed. */
  run: Run | null;
  step: NextStep;
}

interface NextStep {
  short: string;
  savesMs: number | null;
}

/** Null for a payload that is not of this recording. */
export function toSiteRow(
  payload: PayloadReport,
  recording: AnalyzedRecording,
  words: Wording,
): SiteRow | null {
  const { traffic, source } = payload;
  if (traffic === undefined || source.file !== recording.file) return null;
  const run = mainRun(payload, recording.runtime);
  return { payload, traffic, run, step: siteStep(traffic, run, words) };
}

/** Less of the cost of a site is not worth a word. */
const MIN_SAVED = 0.05;

function siteStep({ cost, lint }: Traffic, run: Run | null, words: Wording): NextStep {
  if (run?.verdict?.class === 'rejected') return { short: 'fix the causes', savesMs: null };
  const elsewhere = lint.some(({ rule }) => rule === 'slow-calls') ? words.traffic['slow-calls'] : undefined;
  if (elsewhere !== undefined) return { short: elsewhere.short, savesMs: null };
  const { action, remedy, gain = null } = run?.advice ?? {};
  const saved = cost && carries(gain, 'size') ? (1 - gain.ratio) * cost.totalMs : null;
  const applied = { short: adviceWithGain({ advice: remedy ?? '', gain }), savesMs: saved };
  const fixes = lint.flatMap(({ rule, savesMs }): NextStep[] => {
    const row = words.traffic[rule];
    return row?.level === 'slow' ? [{ short: row.short, savesMs }] : [];
  });
  const least = MIN_SAVED * (cost?.totalMs ?? 0);
  const [best] = [...(action === 'apply' && gain ? [applied] : []), ...fixes]
    .filter(({ savesMs }) => savesMs === null || savesMs >= least)
    .sort((a, b) => (b.savesMs ?? 0) - (a.savesMs ?? 0));
  if (best !== undefined) return best;
  const resting = run && adviceWithGain({ advice: adviceShort(run), gain: action === 'apply' ? gain : null });
  return { short: action === 'not-the-clone' ? 'no rewrite' : (resting ?? ''), savesMs: null };
}

export const stepText = ({ short, savesMs }: NextStep): string =>
  savesMs === null ? short : `${short}, about ${time(savesMs * 1e6)} less`;
