/** Codecs that commands write: `clone-prof codec`, `--emit`, and their tests and helpers. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readSamples } from '../../app/world/analysis.ts';
import type { CodecSettings } from '../../cli/options/all.ts';
import { type CommandFiles, type OutputFile, openOutputFile, write } from '../../cli/session/output.ts';
import type { Session } from '../../cli/session/session.ts';
import { sayReasons, type World } from '../../cli/session/world.ts';
import { managerIn } from '../../gate/init/init.ts';
import { foldersUpFrom } from '../../machine/folders.ts';
import { foreignFile, startOf } from '../../machine/given-file.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import { EXIT, ToolError, usage } from '../../model/errors.ts';
import { fileNameOf } from '../../model/report/recipe.ts';
import { atMost } from '../../report/text/groups.ts';
import { counted } from '../../report/text/numbers.ts';
import { emitCommand, shellCommand } from '../../report/text/shell.ts';
import { codecName, exportedBy, helpersFileOf, ID, importedFrom, languageOf } from '../files/codec-names.ts';
import { advisedCodec, type CodecFile, codecTestSource, sampleIn, schemaCodec } from '../make/codec.ts';
import { codecSource, helpersModule, listed, MARKER } from '../module/module.ts';
import { importSpecifier, type TestRunner } from '../module/test-file.ts';
import { placesOf } from '../schema/places.ts';

/** "orders.codec.ts" -> "orders.codec.test.ts" */
const testFileOf = (file: string) => file.replace(/(\.[a-z]+)$/, '.test$1');

const fileFor = (file: string, id: string) => file.replaceAll(ID, () => fileNameOf(id));

/** @throws ToolError 'usage' if two payloads share a file, or the file of one is the test file of the other */
function refuseOneFileFor(payloads: readonly { id: string }[], file: string): void {
  const hint = file.includes(ID) ? '' : `. Put ${ID} into its name`;
  const idsOf = new Map<string, string>();
  for (const { id } of payloads) {
    const to = fileFor(file, id);
    for (const one of [to, testFileOf(to)]) {
      const detail = `--emit: ${idsOf.get(one)} and ${id} would both be written to ${one}${hint}`;
      if (idsOf.has(one)) throw usage(detail);
      idsOf.set(one, id);
    }
  }
}

/** `clone-prof codec`: exit 3 if a codec cannot be made. */
export async function runCodec(options: CodecSettings, session: Session): Promise<number> {
  const { world, progress, services } = session;
  const { output, samples: given } = options;
  session.files.reads(given);
  const files = codecFiles(world, '--output', session.files);
  if (output !== null) files.openBoth(output);
  const { recipes, ...made } = await readSamples(session, options);
  if (session.signal.aborted) throw new ToolError('interrupted');
  progress.clear();
  const name = codecName(output === null ? recipes[0]!.id.replace(/#.*$/s, '') : basename(output));
  if (made.schema === null) {
    await sayReasons([`no codec: ${made.none.why}. ${made.none.instead}`], world);
    return EXIT.failure;
  }
  const { schema, lost } = made;
  const sources = recipes.map(({ source }) => source);
  const { type, isPatch, withView: view } = options;
  const { version } = services.tools;
  const terms = { version, files: sources.map(({ file }) => file), name, view, isPatch };
  const codec = schemaCodec(schema, terms, sampleIn(recipes[0]!));
  const place = {
    exported: exportedBy(resolve(world.cwd(), output ?? 'stdout'), sources, world.cwd(), type),
    again: shellCommand(['clone-prof', 'codec', ...wordsAgain(options)]),
  };
  const text =
    output === null ? codecSource(codec, 'typescript', place) : await files.writeCodec(codec, output, place);
  if (output === null) await write(world.stdout, text);
  if (lost !== null) await world.stderr.line(`warning: ${lost}`);
  const one = options.samples.length > 1 ? ['--one'] : [];
  const states = isPatch ? ', where each line is a state' : '';
  const lines = counted(text.trimEnd().split('\n').length, 'line');
  const notes = [
    `${lines}, from ${codec.facts.source}`,
    ...(isPatch ? codec.facts.costs : schemaNotes(schema)),
    ...(view && !text.includes('viewMessage') ? [NO_VIEW] : []),
    `not measured: clone-prof analyze ${[...wordsOf(options), ...one].join(' ')} shows whether it is faster${states}`,
  ];
  for (const note of notes) await world.stderr.line(`note: ${note}`);
  return EXIT.ok;
}

const MAX_SAMPLES_SHOWN = 3;

const wordsOf = ({ samples, exports }: CodecSettings): string[] => [
  ...atMost(MAX_SAMPLES_SHOWN, samples, () => '...'),
  ...(exports === null ? [] : ['-e', ...exports]),
];

function wordsAgain(options: CodecSettings): string[] {
  const { type, isPatch, withView, output } = options;
  const kind = [...(isPatch ? ['--patch'] : []), ...(withView ? ['--view'] : [])];
  const to = [...(type === null ? [] : ['--type', type]), ...(output === null ? [] : ['-o', output])];
  return [...wordsOf(options), ...kind, ...to];
}

const NO_VIEW =
  'no viewMessage: there is no list of records that hold texts, numbers, booleans and dates alone, all with the same keys';

function schemaNotes(schema: PayloadSchema): string[] {
  const integers = placesOf(schema, ({ number, numbers }) => number === 'int32' || numbers?.int32 === true);
  const cloned = placesOf(schema, ({ rest, bytes }) => rest === true || bytes !== undefined);
  const whole = integers.length === 0 ? '' : `, and 32-bit integers at ${listed(integers)}`;
  return [
    `assumes the keys of its records${whole}. What does not fit is cloned in its place`,
    ...(cloned.length === 0 ? [] : [`cloned as it is: ${listed(cloned)}`]),
    'limitations: an object at two places arrives as two; named properties of an array are not sent; on V8 a text of 13 or more characters keeps the text of its whole message in memory',
  ];
}

/** Files of codecs that a command writes. @param files files of the command; null if they may equal its inputs */
export function codecFiles(
  { cwd, stderr }: World,
  option: string,
  files: CommandFiles | null,
  onWritten = (shown: string): unknown => stderr.line(`wrote ${shown}`),
) {
  const opened = new Map<string, OutputFile>();
  function open(shown: string): OutputFile {
    const path = resolve(cwd(), shown);
    files?.writes(shown, option);
    // A file that a person wrote by hand is never overwritten silently.
    if (existsSync(path) && (startOf(path, MARKER.length) ?? MARKER) !== MARKER)
      throw foreignFile(shown, MARKER);
    const output = openOutputFile(shown, cwd());
    opened.set(shown, output);
    return output;
  }
  async function write(shown: string, text: string): Promise<void> {
    await (opened.get(shown) ?? open(shown)).write(text);
    await onWritten(shown);
  }
  /** Writes a codec, and its test if its sample is a file that a test can read. @returns the text of the codec */
  async function writeCodec(
    codec: CodecFile,
    shown: string,
    place: Parameters<typeof codecSource>[2],
    isShared = false,
  ): Promise<string> {
    const language = languageOf(shown);
    const helpers =
      codec.codec.own === undefined ? null : await helpersFor(shown, codec.facts.version, isShared);
    const text = codecSource(codec, language, { ...place, helpers });
    await write(shown, text);
    const [test, path] = [testFileOf(shown), resolve(cwd(), testFileOf(shown))];
    const read = resolve(cwd(), codec.sample?.file ?? '');
    if (codec.sample === null || !existsSync(read)) return text;
    const sample = { ...codec.sample, file: importedFrom(path, read) };
    const where = { codec: basename(shown), runner: runnerFor(path), language, sample };
    await write(test, codecTestSource(codec, where));
    return text;
  }
  /**
   * Name by which a codec imports the helpers of its folder and language; null if it includes them, because
   * exactly these helpers are in no file. If several codecs share them, the file is written.
   */
  async function helpersFor(codec: string, version: string, isShared: boolean): Promise<string | null> {
    const shown = helpersFileOf(codec);
    const path = resolve(cwd(), shown);
    const language = languageOf(codec);
    const text = helpersModule(version, language);
    const isThere = startOf(path, text.length + 1) === text;
    if (!isThere && !isShared) return null;
    if (!isThere) await write(shown, text);
    return importSpecifier(basename(path), { runner: runnerFor(path), language });
  }
  const openBoth = (shown: string) => [shown, testFileOf(shown)].map((file) => open(file));
  return { openBoth, writeCodec };
}

function runnerFor(test: string): TestRunner {
  const folder = foldersUpFrom(dirname(test)).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined) return 'node';
  const text = startOf(join(folder, 'package.json')) ?? '';
  for (const name of ['vitest', 'jest'] as const) if (text.includes(`"${name}"`)) return name;
  const isBun = text.includes('bun test') || managerIn(folder, '')?.name === 'bun';
  return isBun ? 'bun' : 'node';
}

/**
 * Opens the files for the codecs that a report advises, before anything is measured. With --one there is one codec for
 * all payloads, and `samples` are the files of all inputs.
 */
export function openEmitted(
  file: string,
  payloads: readonly { id: string }[],
  { files, samples = null }: { files: CommandFiles; samples?: readonly string[] | null },
  world: World,
) {
  refuseOneFileFor(payloads, file);
  const codecs = codecFiles(world, '--emit', files);
  if (!file.includes(ID)) codecs.openBoth(file);

  function placeOf(payload: PayloadReport, { run }: { run: Run }, to: string, unread: ReadonlySet<string>) {
    if (samples !== null) {
      const read = samples.filter((sample) => !unread.has(sample));
      return { exported: null, source: listed([...new Set(read)]) };
    }
    const isOwn = payload.traffic !== undefined;
    return {
      exported: isOwn ? null : exportedBy(resolve(world.cwd(), to), [payload.source], world.cwd()),
      again: shellCommand(emitCommand(payload, run, to)),
    };
  }

  /** @returns the exit code: 3 if the advice does not contain a codec */
  return async ({ payloads: all, ...report }: Report): Promise<number> => {
    refuseOneFileFor(all, file);
    const told: string[] = [];
    const unread = new Set(all.flatMap(({ error, source }) => (error === null ? [] : [source.file])));
    const emitted = all.map((payload) => ({
      payload,
      to: fileFor(file, payload.id),
      advised: payload.runs.flatMap((run) => advisedCodec(report, payload, run) ?? []),
    }));
    for (const { payload, to, advised } of emitted) {
      const [first] = advised;
      const beside = emitted.filter((one) => helpersFileOf(one.to) === helpersFileOf(to));
      // Codecs of several payloads in one folder share their helpers.
      const isShared = beside.filter((one) => one.advised[0]?.codec.own !== undefined).length > 1;
      if (first === undefined) told.push(`--emit: ${payload.id}: ${whyNoCodec(payload)}`);
      else await codecs.writeCodec(first, to, placeOf(payload, first, to, unread), isShared);
      for (const note of differences(payload, advised)) await world.stderr.line(`note: ${note}`);
    }
    await sayReasons(told, world);
    return told.length > 0 ? EXIT.failure : EXIT.ok;
  };
}

function whyNoCodec({ runs }: PayloadReport): string {
  if (runs.some(({ advice, schema }) => advice?.remedy === 'compiled' && schema === undefined))
    return 'its keys look like data, and the report does not have them. Make it with --keys';
  if (runs.some(({ advice }) => advice?.action === 'unsure'))
    return 'it is not decided whether a rewrite is faster. Raise -b, or write one unmeasured: npx clone-prof codec';
  return runs.some(({ advice }) => advice !== null)
    ? 'its advice has no code, so there is no codec to write'
    : 'it was not measured, so there is no codec to write';
}

/** If the advice differs between runtimes, the codec is taken from the first of them. */
function differences({ id, runs }: PayloadReport, codecs: readonly (CodecFile & { run: Run })[]): string[] {
  const [first] = codecs;
  if (first === undefined) return [];
  const nameOf = ({ runtime }: Run) => `${runtime.name}@${runtime.version}`;
  const same = codecs.filter(({ codec }) => codec.source === first.codec.source).map(({ run }) => run);
  const names = [...new Set(runs.filter((run) => !same.includes(run)).map(nameOf))].join(', ');
  return names === ''
    ? []
    : [`${id}: the codec is that of ${nameOf(first.run)}; the advice differs on ${names} (-r chooses)`];
}
