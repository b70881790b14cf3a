/** All that one check is asked: the gate's request, what it is compared with, and the rewrites that the config names. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckRequest, CodecFiles, LoadedCodec, RewrittenCodec } from '../../app/gate/request.ts';
import { schemaJson } from '../../app/schema-codec.ts';
import { factsOnly } from '../../core/gate/baseline.ts';
import { textOf } from '../../machine/given-file.ts';
import { ToolError } from '../../model/errors.ts';
import { lineOfValue } from '../../sources/line.ts';
import { baselineText, readBaseline } from '../../store/baseline-file.ts';
import { codecSchemaOf } from '../../store/documents.ts';
import { emitFileOf } from '../codec-names.ts';
import type { Work } from '../work.ts';
import { baseRequest } from './base-request.ts';
import { contractWithBaseline } from './demands.ts';
import { type CheckQuery, type GateInputs, gateInputs, hashOf } from './gate-request.ts';

/** @param writer with --fix-codec */
export async function checkRequest(
  work: Work,
  options: CheckQuery,
  writer: CodecWriter | null,
): Promise<CheckRequest> {
  const gate = await gateInputs(work, options);
  const { config, request, asked } = gate;
  // Loaded when asked for: most checks compare with a file.
  const base = options.base === null ? null : await baseRequest(options.base, gate, options, work);
  const tries = await triesOf(gate, work);
  const codecs = codecFiles(gate, writer, work);
  const baseline = base ? null : await baselineOf(gate);
  const { budgetMs, totalMs, seed, shard, runtimes } = options;
  return {
    ...{ ...request, base, baseline, tries, codecs, shard, budgetMs, totalMs, seed },
    ...{ newPolicy: config.new, undecided: config.undecided },
    contract: baseline && contractWithBaseline(config, asked, baseline, runtimes),
    inputs: {
      config: gate.configHash,
      baseline: base ? base.commit : baseline && hashOf(baselineText(factsOnly(baseline))),
      baselineFile: config.baseline,
    },
    machineBytes: work.services.tools.machine.memoryBytes,
    lineOf: (recipe, steps) => lineOfValue(recipe, steps, config.folder),
  };
}

async function baselineOf({ baselinePath, baselineFile, config, waiting }: GateInputs) {
  const baseline = await readBaseline(baselinePath, baselineFile, waiting);
  if (baseline !== null || !config.needsBaseline) return baseline;
  throw new ToolError('baseline-missing', { file: baselineFile });
}

/** The rewrites that the config names. @throws ToolError of the first that is not there */
async function triesOf(
  { request: { units, cwd }, waiting }: GateInputs,
  { services, workdir }: Work,
): Promise<CheckRequest['tries']> {
  const words = new Set(units.flatMap(({ entry }) => entry.remedies));
  const loaded = [...words].map(
    async (word) => [word, await services.loadTries([word], { workdir, cwd, waiting })] as const,
  );
  return new Map(await Promise.all(loaded));
}

/**
 * Writes a codec anew that does not fit its payloads.
 *
 * @param folder of the config
 * @throws ToolError of a file that cannot be written, before anything is checked
 */
export type CodecWriter = (path: string, folder: string) => (made: RewrittenCodec) => Promise<void>;

/**
 * The codecs that the config names, as `check` loads them.
 *
 * @throws ToolError of one that is not there, before anything is checked
 */
function codecFiles(
  { request: { units }, config: { folder, file: config }, waiting }: GateInputs,
  writer: CodecWriter | null,
  { services, workdir }: Work,
): CodecFiles {
  const writers = new Map<string, ReturnType<CodecWriter>>();
  for (const { codec } of new Set(units.map(({ entry }) => entry))) {
    if (codec === undefined) continue;
    emitFileOf(codec, `${config ?? 'the config'}: codec`);
    const path = resolve(folder, codec);
    if (writer) writers.set(codec, writer(path, folder));
    else if (!existsSync(path)) throw new ToolError('codec-missing', { file: codec });
  }
  const load = async (file: string): Promise<LoadedCodec | null> => {
    const path = resolve(folder, file);
    if (!existsSync(path)) return null;
    const [tried] = await services.loadTries([path], { workdir, cwd: folder, waiting });
    const json = schemaJson(await textOf(path, MOST_BYTES, waiting));
    const madeOf = json === null ? null : (codecSchemaOf(json) ?? 'unreadable');
    return { tried: { ...tried!, name: file, isCodec: true }, madeOf };
  };
  /** An entry has one for all its runtimes and channels. */
  const known = new Map<string, Promise<LoadedCodec | null>>();
  const rewrite = async (file: string, made: RewrittenCodec) => {
    await writers.get(file)?.(made);
    known.delete(file);
  };
  return {
    load(file) {
      const loaded = known.get(file) ?? load(file);
      known.set(file, loaded);
      return loaded;
    },
    rewrite: writer && rewrite,
  };
}

/** No codec is longer. */
const MOST_BYTES = 64 * 2 ** 20;
