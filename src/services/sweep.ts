import { SWEEP_PRESETS } from '../app/sweep/presets.ts';
import type { Subject, SweepRequest } from '../app/sweep/series.ts';
import { sweep } from '../app/sweep/sweep-run.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import type { Emit } from '../model/run/events.ts';
import type { FoundRuntimes } from '../model/run/runtime.ts';
import type { PresetName } from '../model/vocabulary/sweep.ts';
import type { LoadOptions } from './services.ts';
import type { Work } from './work.ts';

type OfPayload = Omit<Extract<Subject, { kind: 'payload' }>, 'kind' | 'sources'>;

/** What grows, where a published benchmark is not redone. */
interface SweepSubject extends OfPayload, Pick<LoadOptions, 'as'> {
  payloads: string[];
  preset: PresetName | null;
  timeoutMs: number;
}

/** @throws ToolError 'no-input' */
export async function subjectOf(
  { services, workdir, signal }: Work,
  { preset, payloads, as, exports, via, by, scale, steps, timeoutMs }: SweepSubject,
): Promise<Subject> {
  if (preset) return { kind: 'preset', preset: SWEEP_PRESETS[preset] };
  const sources = await services.loadSources(payloads, { as, workdir, signal, timeoutMs });
  return { kind: 'payload', sources, exports, via, by, scale, steps };
}

export const sourcesOf = (subject: Subject) => (subject.kind === 'payload' ? subject.sources : []);

/** `visitors` see what goes on. @throws ToolError when the payload has no part that can be scaled */
export async function sweepIn(
  { services, emit, cwd, signal }: Work,
  { found, visitors }: FoundRuntimes,
  options: Omit<SweepRequest, 'runtimes' | 'cwd' | 'signal'>,
): Promise<SweepReport> {
  const shown: Emit = (event) => {
    emit(event);
    visitors?.show(event);
  };
  const report = await sweep(
    { ...options, runtimes: found, cwd, signal },
    { ...services.tools, emit: shown },
  );
  await visitors?.end();
  return report;
}
