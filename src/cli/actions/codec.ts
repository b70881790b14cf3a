import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { schemaTestSource } from '../../app/codec.ts';
import { codecOf, schemaModule, whyNone } from '../../app/schema-codec.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { Codec } from '../../model/rules/remedy.ts';
import { readSamples } from '../../services/samples.ts';
import type { Services } from '../../services/services.ts';
import type { CodecOptions } from '../options/codec.ts';
import { codecName, languageOf, testFileOf } from '../options/emit.ts';
import { EXIT } from '../session/exit-code.ts';
import { write } from '../session/output.ts';
import type { OutputFile } from '../session/output-file.ts';
import { sayReasons } from '../session/reasons.ts';
import { fetchOptions, type Session, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';
import { exportedBy, importedFrom, openCodecFile, runnerFor } from './codec-file.ts';
import { codecNotes } from './codec-notes.ts';

/** `clone-prof codec`: exit 3 where none can be made. */
export const runCodec = (options: CodecOptions, services: Services, world: World): Promise<number> =>
  withSession(services, world, (session) => codecIn(session, options));

async function codecIn(session: Session, options: CodecOptions): Promise<number> {
  const { world, progress, services } = session;
  const { output, samples: inputs } = options;
  const open = (shown: string) => openCodecFile(shown, { option: '--output', inputs, cwd: world.cwd() });
  const files = output === null ? null : { module: open(output), test: open(testFileOf(output)) };
  const { recipes, made, samples } = await samplesOf(session, options);
  if (session.signal.aborted) throw new ToolError('interrupted');
  progress.stop();
  const name = nameFor(output, recipes[0]!);
  const none = whyNone(made, samples);
  if (none !== null || made.schema === null) {
    await sayReasons([`no codec: ${none?.why}. ${none?.instead}`], world);
    return EXIT.failure;
  }
  const codec = codecOf(made.schema, { name, view: options.withView });
  const shownFiles = [...new Set(recipes.map(({ source }) => source.file))];
  const sources = recipes.map(({ source }) => source);
  const exported = exportedBy(resolve(world.cwd(), output ?? 'stdout'), sources, world.cwd());
  const facts = { version: services.tools.version, files: shownFiles, name, exported };
  const text = schemaModule(codec, facts, output === null ? 'typescript' : languageOf(output));
  if (output === null || files === null) await write(world.stdout, text);
  else {
    await files.module.write(text);
    await world.stderr.line(`wrote ${output}`);
    await writeTest(codec, recipes[0]!, { ...files, output, version: facts.version }, world);
  }
  for (const note of codecNotes(made.schema, text, shownFiles, options.withView))
    await world.stderr.line(`note: ${note}`);
  return EXIT.ok;
}

function samplesOf(session: Session, { samples, as, exports, runtime, timeoutMs, ...options }: CodecOptions) {
  const { services, world, signal, workdir } = session;
  const fetching = (sources: readonly Source[]) => fetchOptions(session, options, sources);
  const request = { samples, as, exports, runtime, timeoutMs, workdir, signal, fetching, cwd: world.cwd() };
  return readSamples(request, services);
}

/** Types are called after the file: "src/orders.codec.ts" -> "orders". */
const nameFor = (output: string | null, { id }: Recipe): string =>
  codecName(output === null ? id.replace(/#.*$/s, '') : basename(output));

interface WrittenCodec {
  test: OutputFile;
  output: string;
  version: string;
}

/** Where the first sample is a file that a test can read. */
async function writeTest(codec: Codec, recipe: Recipe, written: WrittenCodec, world: World): Promise<void> {
  const { test, output, version } = written;
  const shown = testFileOf(output);
  const path = resolve(world.cwd(), shown);
  const sample = resolve(world.cwd(), recipe.source.file);
  const isOwn = recipe.build.form === 'module' && recipe.build.generated === true;
  if (!existsSync(sample) || isOwn) return;
  const file = importedFrom(path, sample);
  const text = schemaTestSource(codec, version, {
    recipe: { ...recipe, source: { ...recipe.source, file } },
    codec: basename(output),
    runner: runnerFor(path),
    language: languageOf(output),
  });
  await test.write(text);
  await world.stderr.line(`wrote ${shown}`);
}
