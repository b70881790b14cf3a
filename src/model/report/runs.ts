import type { RuntimeId } from '../documents/names.ts';
import type { RecordingHeader } from '../documents/recorded/recording.ts';
import type { PayloadReport, Run } from '../documents/report.ts';
import type { Shape } from '../documents/shape.ts';
import type { Advice, Trial } from '../documents/trial.ts';
import type { Channel } from '../names.ts';

/** The run whose times represent the site: the run in the recorded runtime, else the first measured run. */
export function mainRun({ runs, traffic }: PayloadReport, recorded: RecordingHeader['runtime']): Run | null {
  const own = traffic?.runtime ?? recorded;
  const closeness = ({ runtime, measurement }: Run) =>
    (measurement === null ? 0 : 4) +
    (runtime.name === own?.name ? 2 : 0) +
    (runtime.version === own?.version ? 1 : 0);
  return [...runs].sort((a, b) => closeness(b) - closeness(a))[0] ?? null;
}

/** Shape of the payload without its envelope. Rewrites are planned for this shape. */
export const payloadShape = ({ via, shape }: Pick<Run, 'via' | 'shape'>): Shape | null =>
  via ? via.shape : shape;

/** Trial that is advised. Two plans of one remedy may share a path: the gain identifies the advised plan. */
export function advisedTrial(advice: Advice, { trials }: Pick<Run, 'trials'>): Trial | undefined {
  const { remedy, path, gain, ownsBothForms } = advice;
  const candidates = trials.filter((trial) => trial.remedy === remedy && trial.path === (path ?? trial.path));
  const ratioOf = ({ withConversion, inPlace }: Trial) => (ownsBothForms ? inPlace : withConversion)?.ratio;
  return candidates.find((trial) => ratioOf(trial) === gain?.ratio) ?? candidates[0];
}

export function emptyRun({ name, brand, version, engine }: RuntimeId, channel: Channel): Run {
  return {
    runtime: { name, ...(brand && { brand }), version, engine },
    channel,
    status: 'failed',
    error: null,
    shape: null,
    verdict: null,
    findings: [],
    measurement: null,
    trials: [],
    advice: null,
  };
}
