import { basename, resolve } from 'node:path';
import { schemaTestSource } from '../../app/codec-test.ts';
import { codecOf, PATCH_COSTS, patchCodecOf, schemaModule, whyNone } from '../../app/schema-codec.ts';
import { placesOf } from '../../core/payload-schema/places.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import { counted } from '../../reporters/text/numbers.ts';
import { shellCommand } from '../../reporters/text/shell.ts';
import { codecName, exportedBy, languageOf, testFileOf } from '../../services/codec-names.ts';
import { readSamples } from '../../services/samples.ts';
import { fetchOptions, type Services } from '../../services/services.ts';
import type { CodecSettings } from '../options/all.ts';
import { namesOrAll } from '../options/shared.ts';
import { sayReasons } from '../session/exit.ts';
import { write } from '../session/output.ts';
import { type Session, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';
import { codecFiles, helpersFor } from './codec-file.ts';

/** `clone-prof codec`: exit 3 if a codec cannot be made. */
export const runCodec = (options: CodecSettings, world: World, services: Services): Promise<number> =>
  withSession(services, world, (session) => codecIn(session, options));

async function codecIn(session: Session, options: CodecSettings): Promise<number> {
  const { world, progress, services } = session;
  const { output, samples: given } = options;
  session.files.reads(given);
  const files = codecFiles(world, '--output', session.files);
  for (const one of output === null ? [] : [output, testFileOf(output)]) files.open(one);
  const { recipes, made, samples } = await samplesOf(session, options);
  if (session.signal.aborted) throw new ToolError('interrupted');
  progress.stop();
  const name = nameFor(output, recipes[0]!);
  const none = whyNone(made, samples);
  if (none !== null || made.schema === null) {
    await sayReasons([`no codec: ${none?.why}. ${none?.instead}`], world);
    return EXIT.failure;
  }
  const codec = options.isPatch
    ? patchCodecOf(made.schema, name)
    : codecOf(made.schema, { name, view: options.withView });
  const shownFiles = [...new Set(recipes.map(({ source }) => source.file))];
  const sources = recipes.map(({ source }) => source);
  const exported = exportedBy(resolve(world.cwd(), output ?? 'stdout'), sources, world.cwd(), options.type);
  const { version } = services.tools;
  const facts = {
    version,
    files: shownFiles,
    name,
    exported,
    again: shellCommand(['clone-prof', 'codec', ...wordsAgain(options)]),
    helpers: output === null ? null : helpersFor(output, version, world.cwd()),
    costs: options.isPatch ? PATCH_COSTS : [],
  };
  const text = schemaModule(codec, facts, output === null ? 'typescript' : languageOf(output));
  if (output === null) await write(world.stdout, text);
  else {
    await files.write(output, text);
    const [recipe] = recipes as [Recipe];
    // A test could not read a module that this tool generated.
    const isOwn = recipe.build.form === 'module' && recipe.build.generated === true;
    if (!isOwn)
      await files.writeTest(output, recipe.source.file, (where, file) =>
        schemaTestSource(codec, version, { ...where, recipe: withFile(recipe, file) }),
      );
  }
  for (const note of codecNotes(made.schema, text, shownFiles, options))
    await world.stderr.line(`note: ${note}`);
  return EXIT.ok;
}

function samplesOf(session: Session, settings: CodecSettings) {
  const { samples, as, exports, runtime, timeoutMs, offline, projectNpmrc } = settings;
  const { services, cwd, signal, workdir } = session;
  const fetching = (sources: readonly Source[]) => fetchOptions(session, { offline, projectNpmrc }, sources);
  const reading = { samples, as, exports: namesOrAll(exports), runtime, timeoutMs };
  return readSamples({ ...reading, workdir, signal, fetching, cwd }, services);
}

const withFile = (recipe: Recipe, file: string) => ({ ...recipe, source: { ...recipe.source, file } });

const MAX_SAMPLES_SHOWN = 3;

/** Words for `analyze`, written as the user typed them, that measure the samples as one payload. */
function wordsOf({ samples, exports }: CodecSettings): string {
  const named = exports.length === 0 ? '' : ` -e ${exports.join(' ')}`;
  const more = samples.length > MAX_SAMPLES_SHOWN ? ' ...' : '';
  return `${samples.slice(0, MAX_SAMPLES_SHOWN).join(' ')}${more}${named}${samples.length > 1 ? ' --one' : ''}`;
}

/** Words of the command that makes the same codec again. */
function wordsAgain({ samples, exports, type, isPatch, withView, output }: CodecSettings): string[] {
  const more = samples.length > MAX_SAMPLES_SHOWN ? ['...'] : [];
  const named = exports.length === 0 ? [] : ['-e', ...exports];
  const kind = [...(isPatch ? ['--patch'] : []), ...(withView ? ['--view'] : [])];
  const to = [...(type === null ? [] : ['--type', type]), ...(output === null ? [] : ['-o', output])];
  return [...samples.slice(0, MAX_SAMPLES_SHOWN), ...more, ...named, ...kind, ...to];
}

/** Name of the types, after the file: "src/orders.codec.ts" -> "orders". */
const nameFor = (output: string | null, { id }: Recipe): string =>
  codecName(output === null ? id.replace(/#.*$/s, '') : basename(output));

const MAX_PLACES_SHOWN = 3;

const NO_VIEW =
  'no viewMessage: there is no list of records that hold texts, numbers, booleans and dates alone, all with the same keys';

/** Notes about the codec, one line each: its size, its assumptions and its limitations. */
function codecNotes(
  schema: PayloadSchema,
  module: string,
  files: readonly string[],
  options: CodecSettings,
): string[] {
  const lines = module.trimEnd().split('\n').length;
  const [first = ''] = files;
  const unmeasured = `not measured: clone-prof analyze ${wordsOf(options)} shows whether it is faster`;
  const from = files.length === 1 ? first : `${counted(files.length, 'file')}, as one schema`;
  const length = `${counted(lines, 'line')}, from ${from}`;
  if (options.isPatch) return [length, ...PATCH_COSTS, `${unmeasured}, where each line is a state`];
  const integers = placesOf(schema, ({ number, numbers }) => number === 'int32' || numbers?.int32 === true);
  const cloned = placesOf(schema, ({ rest, bytes }) => rest === true || bytes !== undefined);
  const keys = schema.records.length === 0 ? [] : [`the keys of ${counted(schema.records.length, 'record')}`];
  const whole = integers.length === 0 ? [] : [`32-bit integers at ${shown(integers)}`];
  const assumed = [...keys, ...whole].join('; ');
  return [
    length,
    ...(assumed === '' ? [] : [`assumes ${assumed}. What does not fit is cloned in its place`]),
    ...(cloned.length === 0 ? [] : [`cloned as it is: ${shown(cloned)}`]),
    ...(options.withView && !module.includes('viewMessage') ? [NO_VIEW] : []),
    'limitations: an object at two places arrives as two; named properties of an array are not sent',
    ...(placesOf(schema, ({ text }) => text !== undefined).length === 0
      ? []
      : ['on V8 a text of 13 or more characters keeps the text of its whole message in memory']),
    unmeasured,
  ];
}

function shown(places: readonly string[]): string {
  const more = places.length - MAX_PLACES_SHOWN;
  return `${places.slice(0, MAX_PLACES_SHOWN).join(', ')}${more > 0 ? ` and ${counted(more, 'more place')}` : ''}`;
}
