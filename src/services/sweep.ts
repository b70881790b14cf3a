import { pathToFileURL } from 'node:url';
import type { Preset } from '../app/sweep/presets.ts';
import type { Subject } from '../app/sweep/series.ts';
import { packageFile } from '../machine/package-file.ts';
import { DEFAULTS } from '../model/presets.ts';
import type { PresetName } from '../model/vocabulary/sweep.ts';
import type { LoadOptions, Work } from './services.ts';

type OfPayload = Omit<Extract<Subject, { kind: 'payload' }>, 'kind' | 'sources'> & Pick<LoadOptions, 'as'>;

/** The payload to scale, or a published benchmark (`preset`) to repeat. */
type SweepSubject = { [Key in keyof OfPayload]?: OfPayload[Key] | undefined } & {
  payloads: string[];
  preset: PresetName | null;
  timeoutMs?: number | undefined;
};

/** @throws ToolError 'no-input' */
export async function subjectOf(
  { services, workdir, signal }: Work,
  { preset, payloads, as = null, timeoutMs = DEFAULTS.timeoutMs, ...asked }: SweepSubject,
): Promise<Subject> {
  if (preset) return { kind: 'preset', preset: await readPreset(preset) };
  const sources = await services.loadSources(payloads, { as, workdir, signal, timeoutMs });
  const { exports = null, via = [], by = null, scale = null, steps = DEFAULTS.sweepSteps } = asked;
  return { kind: 'payload', sources, exports, via, by, scale, steps };
}

/** Loads a preset: a module of this package, which guests load too. */
export async function readPreset(name: PresetName): Promise<Preset> {
  const file = packageFile(`dist/presets/${name}.mjs`);
  const module: { default: Omit<Preset, 'name' | 'file'> } = await import(pathToFileURL(file).href);
  return { ...module.default, name, file };
}

export const sourcesOf = (subject: Subject) => (subject.kind === 'payload' ? subject.sources : []);
