/** All that one check is asked: the gate's request, what it is compared with, and the rewrites that the config names. */
import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { CheckRequest, CodecFiles, LoadedCodec, RewrittenCodec } from '../../../app/gate/request.ts';
import { codecOf, schemaJson, schemaModule } from '../../../app/schema-codec.ts';
import { factsOnly } from '../../../core/gate/baseline.ts';
import { textOf } from '../../../machine/given-file.ts';
import { ToolError } from '../../../model/errors.ts';
import { lineOfValue } from '../../../sources/line.ts';
import { baselineText, readBaseline } from '../../../store/baseline-file.ts';
import { codecSchemaOf } from '../../../store/documents.ts';
import type { CheckOptions } from '../../options/check.ts';
import { codecName, emitFileOf, languageOf } from '../../options/emit.ts';
import { openOutputFile } from '../../session/output-file.ts';
import type { Session } from '../../session/session.ts';
import { exportedBy, openCodecFile } from '../codec-file.ts';
import { contractWithBaseline } from './demands.ts';
import { type GateInputs, gateInputs, hashOf } from './gate-request.ts';

export async function checkRequest(session: Session, options: CheckOptions): Promise<CheckRequest> {
  const gate = await gateInputs(session, options);
  const { config, request, asked } = gate;
  // Loaded when asked for: most checks compare with a file.
  const base =
    options.base === null
      ? null
      : await (await import('./base-request.ts')).baseRequest(options.base, gate, options, session);
  const tries = await triesOf(gate, session);
  const codecs = codecFiles(gate, options.fixCodec, session);
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
    machineBytes: session.services.tools.machine.memoryBytes,
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
  { services, workdir }: Session,
): Promise<CheckRequest['tries']> {
  const words = new Set(units.flatMap(({ entry }) => entry.remedies));
  const loaded = [...words].map(
    async (word) => [word, await services.loadTries([word], { workdir, cwd, waiting })] as const,
  );
  return new Map(await Promise.all(loaded));
}

/**
 * The codecs that the config names, as `check` loads them, and writes them with --fix-codec.
 *
 * @throws ToolError of one that is not there, before anything is checked
 */
function codecFiles(
  { request: { units }, config: { folder, file: config }, waiting }: GateInputs,
  isFixing: boolean,
  { services, workdir, progress, world }: Session,
): CodecFiles {
  const cwd = world.cwd();
  const shownOf = (file: string) => relative(cwd, resolve(folder, file)) || file;
  for (const { codec } of new Set(units.map(({ entry }) => entry))) {
    if (codec === undefined) continue;
    emitFileOf(codec, `${config ?? 'the config'}: codec`);
    if (isFixing) openOutputFile(shownOf(codec), cwd);
    else if (!existsSync(resolve(folder, codec))) throw new ToolError('codec-missing', { file: codec });
  }
  const rewrite = async (file: string, made: RewrittenCodec) => {
    const { schema: _, ...kept } = made.madeOf ?? { name: codecName(basename(file)), schema: null };
    const codec = codecOf(made.schema, kept);
    const files = [...new Set(made.sources.map((one) => one.file))];
    const exported = exportedBy(resolve(folder, file), made.sources, folder);
    const facts = { version: services.tools.version, files, name: kept.name, exported };
    const output = openCodecFile(shownOf(file), { option: '--fix-codec', inputs: [], cwd });
    await output.write(schemaModule(codec, facts, languageOf(file)));
    known.delete(file);
    progress.listen({ type: 'note', text: `wrote ${shownOf(file)}${whyText(made)}` });
  };
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
  return {
    load(file) {
      const loaded = known.get(file) ?? load(file);
      known.set(file, loaded);
      return loaded;
    },
    rewrite: isFixing ? rewrite : null,
  };
}

/** No codec is longer. */
const MOST_BYTES = 64 * 2 ** 20;

const MAX_CHANGES_TOLD = 3;

/** ": $.rows[*].note is new, and 2 more changes" */
function whyText({ changes }: RewrittenCodec): string {
  const told = changes.slice(0, MAX_CHANGES_TOLD).map(({ path, what }) => `${path} ${what}`);
  const more = changes.length - told.length;
  return told.length === 0 ? '' : `: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
