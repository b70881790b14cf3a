/** `rules`, `explain`, `runtimes` and `verify`: the rule book, and where it holds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verify } from '../../app/verify.ts';
import { fetchOptions, toolsOf } from '../../app/world/services.ts';
import { ruleBook } from '../../engines/rule-book/rule-book.ts';
import { parseRuntimeSpec } from '../../engines/versions/versions.ts';
import { writeRulePayloads } from '../../machine/folders.ts';
import { EXIT, ToolError, usage } from '../../model/errors.ts';
import { type Channel, type PathName, RUNTIME_NAMES, type RuleBookName } from '../../model/names.ts';
import type { RenderOptions } from '../../model/report/formats.ts';
import type {
  ObjectResult,
  Seen,
  Specimen,
  SpecimenPair,
  VerifyReport,
  VerifyResult,
} from '../../model/report/verify.ts';
import type {
  Meaning,
  PathView,
  PostOutcome,
  RuleBookView,
  RuleView,
  Versions,
} from '../../model/rules/rule.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { allMeanings, explainedWords, meaningsOf } from '../../report/meanings/meanings.ts';
import { alert, type Body, block, facts, heading, list, tableOf, text } from '../../report/nodes.ts';
import { terminalNodes } from '../../report/terminal/nodes.ts';
import { escapedJson } from '../../report/text/escape.ts';
import { groupedBy } from '../../report/text/groups.ts';
import { muted } from '../../report/words.ts';
import type { RulesSettings, RuntimesSettings, VerifySettings } from '../options/all.ts';
import { type Draw, printResult } from '../session/output.ts';
import { foundRuntimes, type Session } from '../session/session.ts';
import { sayReasons, type World } from '../session/world.ts';

const printAs = (format: 'terminal' | 'json', document: unknown, draw: Draw, world: World): Promise<void> =>
  printResult(format === 'json' ? () => escapedJson(document) : draw, world);

/** Rule books of the runtimes that `spec` selects: "bun", "bun@1.3.9"; all of them if it is missing. */
function booksOf(spec: string | undefined) {
  if (spec === undefined) return RUNTIME_NAMES.map((name) => ruleBook(name, null));
  const { name, wanted: version = null } = parseRuntimeSpec(spec);
  const known = RUNTIME_NAMES.find((one) => one === name);
  if (!known) throw new ToolError('runtime-unknown', { value: spec, names: RUNTIME_NAMES });
  if (version !== null && !/^\d+(\.\d+)*$/.test(version))
    throw usage(`rules: '${version}' is not a version. Write it like ${known}@1.3 or ${known}@24.1.0`);
  return [ruleBook(known, version)];
}

export async function runRules({ specs: [spec], format }: RulesSettings, world: World): Promise<number> {
  const books = booksOf(spec);
  const document = books.length === 1 ? books[0] : books;
  await printAs(format, document, (options) => terminalNodes(books.map(ruleNodes), options), world);
  return EXIT.ok;
}

export async function runExplain({ words }: { words: readonly string[] }, world: World): Promise<number> {
  const all = allMeanings();
  const unknown: string[] = [];
  // "round trip" is one term.
  const term = words.join(' ');
  const asked = explainedWords(all).includes(term.toLowerCase()) ? [term] : words;
  const meanings = asked.flatMap((word) => {
    try {
      return meaningsOf(word, all);
    } catch (error) {
      unknown.push((error as Error).message);
      return [];
    }
  });
  if (meanings.length > 0)
    await printResult((options) => terminalNodes(meaningNodes(meanings), options), world);
  await sayReasons(unknown, world);
  return unknown.length === 0 ? EXIT.ok : EXIT.usage;
}

export async function runRuntimes(settings: RuntimesSettings, session: Session): Promise<number> {
  const { services, world } = session;
  const [action, ...specs] = settings.words;
  const runtimes: FoundRuntime[] = action === undefined ? await services.listRuntimes() : [];
  if (action !== undefined && action !== 'add' && action !== 'remove')
    throw usage(`runtimes: '${action}' is unknown. Known: add, remove`);
  if (action !== undefined && specs.length === 0)
    throw usage(`runtimes ${action}: name what, for example: clone-prof runtimes ${action} bun@1.3`);
  for (const spec of specs) {
    const done =
      action === 'add'
        ? [await services.addRuntime(spec, fetchOptions(session, settings))]
        : await services.removeRuntimes(spec);
    if (done.length === 0)
      throw new ToolError('runtime-missing', { value: spec, detail: 'it is not in the cache' });
    runtimes.push(...done);
  }
  // A reader of a pipe needs whole paths.
  const isWide = world.stdout.isTTY !== true && world.env.COLUMNS === undefined;
  const columns = isWide ? { columns: Number.POSITIVE_INFINITY } : {};
  const drawn = (options: RenderOptions) => terminalNodes(runtimeNodes(runtimes), { ...options, ...columns });
  await printAs(settings.format, runtimes, drawn, world);
  return EXIT.ok;
}

/** `clone-prof verify [runtime...]`: exit 1 if a rule does not hold. */
export async function runVerify(settings: VerifySettings, session: Session): Promise<number> {
  const { world, signal, workdir, cwd } = session;
  const { timeoutMs, format } = settings;
  const { found, missing } = await foundRuntimes(session, settings);
  const folder = join(workdir, 'rule-payloads');
  writeRulePayloads(folder);
  const specimens = await loadSpecimens(folder);
  const objects = join(folder, 'platform-objects.js');
  const request = { specimens, objects, runtimes: found, timeoutMs, cwd, signal };
  const report = await verify(request, toolsOf(session));
  session.progress.clear();
  await printAs(format, report, (options) => terminalNodes(verifyNodes(report), options), world);
  const broken = report.results.filter(({ holds }) => holds === false);
  const otherwise = report.objects.filter(({ holds }) => holds === false);
  await sayReasons(
    [
      ...broken.map(({ rule, runtime, why }) => `${rule} on ${runtime}: does not hold: ${why}`),
      ...otherwise.map(
        (one) => `${one.class} on ${one.runtime}: the table does not hold: ${objectText(one)}`,
      ),
    ],
    world,
  );
  if (signal.aborted) throw new ToolError('interrupted');
  if (!report.holds) return EXIT.gate;
  return missing.length > 0 ? EXIT.failure : EXIT.ok;
}

/** Exports of a specimen module of this package, in addition to its two factories. */
interface SpecimenModule {
  channel?: Channel;
  /** Further channels that the rule holds for. `verify` alone posts over them. */
  alsoOver?: readonly Channel[];
  runtimes?: Versions;
  describedOn?: Versions;
  transfer?: (value: unknown) => unknown[];
  fires: () => unknown;
  nearMiss: () => unknown;
}

const NAME = /^(path-)?(v8|jsc|spidermonkey|webkit|spec)-(.+)\.js$/;

/** Loads the specimens in a folder of this package: one module for each rule or path, named after it. */
export async function loadSpecimens(folder: string): Promise<SpecimenPair[]> {
  const pairs = readdirSync(folder)
    .sort()
    .map(async (file): Promise<SpecimenPair[]> => {
      const [, isPath, book, rule] = NAME.exec(file) ?? [];
      if (!book || !rule) return [];
      const path = join(folder, file);
      const module = (await import(pathToFileURL(path).href)) as SpecimenModule;
      const specimen = async (name: 'fires' | 'nearMiss'): Promise<Specimen> => ({
        recipe: {
          id: `${file}#${name}`,
          source: { file, export: name },
          build: { form: 'module', file: path, original: path, export: name },
        },
        // Specimens are part of this package, so the host may build one.
        transferring: module.transfer !== undefined && module.transfer(await module[name]()).length > 0,
      });
      const runtimes = module.describedOn ?? module.runtimes;
      const pair: Omit<SpecimenPair, 'channel'> = {
        book: book as RuleBookName,
        of: isPath ? { path: rule as PathName } : { rule: `${book}/${rule}` },
        ...(runtimes === undefined ? {} : { runtimes }),
        fires: await specimen('fires'),
        nearMiss: await specimen('nearMiss'),
      };
      const others = (module.alsoOver ?? []).map((over) => ({ ...pair, channel: over, isAlso: true }));
      return [{ ...pair, channel: module.channel ?? 'worker' }, ...others];
    });
  return (await Promise.all(pairs)).flat();
}

const HEADS = [
  ['rejected', 'Rejected: postMessage throws'],
  ['slow', 'Slower: no fast path, or a more expensive one'],
  ['lossy', 'Changed on arrival'],
  ['note', 'Notes'],
] as const;

function ruleNodes({ runtime, version, engine, paths, rules }: RuleBookView): Body {
  const of = version === null ? `${runtime}, every version` : `${runtime} ${version}`;
  return [
    heading(`Rule book of ${of} (${engine})`),
    heading('Paths, in the order in which the engine decides'),
    block(paths.map((row) => rowNodes(`${row.path} (${row.class})`, row, row.why))),
    HEADS.map(([level, title]) => {
      const rows = block(rules.filter((rule) => rule.level === level).map(ruleRow));
      return rows && [heading(title), rows];
    }),
  ];
}

function ruleRow(rule: RuleView): Body {
  const { id, why, fix, blocks } = rule;
  const blocked = blocks.length > 0 && `Blocks: ${blocks.join(', ')}.`;
  return rowNodes(id, rule, [why, fix, blocked].filter(Boolean).join(' '));
}

function rowNodes(name: string, row: PathView | RuleView, why: string): Body {
  const { title, versions, channels, source } = row;
  return [
    facts([{ text: name, strong: true }, title, versions, channels?.join(', ')]),
    text(why, { by: 1 }),
    text(source, { tone: 'muted', by: 1 }),
  ];
}

export const meaningNodes = (meanings: readonly Meaning[]): Body =>
  meanings.map(({ word, kind, text: meaning, source, example = [] }) => [
    block([heading(word, kind), text(meaning), text(source, { tone: 'muted' })]),
    example.length > 0 && { type: 'code', text: example.join('\n'), language: 'js', isWhole: true },
  ]);

export const runtimeNodes = (runtimes: readonly FoundRuntime[]): Body =>
  tableOf('Runtimes', runtimes, [
    { head: '', cell: ({ spec }) => spec },
    { head: '', cell: ({ engine }) => engine },
    {
      head: '',
      cell: ({ from, needs }) => (needs === undefined ? from : `${from}, too old: needs ${needs}`),
    },
    { head: '', cell: ({ binary }) => muted(binary) },
  ]) ?? text('None.');

// `verify`: counts for each runtime, and failures in full. JSON has all results.

export function verifyNodes({ results, objects }: VerifyReport): Body {
  const broken = [...results, ...objects].filter(({ holds }) => holds === false).length;
  return [
    groupedBy(results, ({ runtime }) => runtime).map(([runtime, own]) =>
      runtimeResults(runtime, own, objects),
    ),
    broken === 0
      ? text('The rule book holds on every runtime checked.')
      : alert(
          `${broken} ${broken === 1 ? 'rule does' : 'rules do'} not hold. The rule book is wrong there, not your program: please report the lines above.`,
        ),
  ];
}

function runtimeResults(runtime: string, results: readonly VerifyResult[], objects: readonly ObjectResult[]) {
  const shown = results.filter(({ inScope, holds }) => inScope || holds === false);
  const count = (holds: boolean | null) => shown.filter((result) => result.holds === holds).length;
  const agreeing = results.filter(({ inScope, holds }) => !inScope && holds).length;
  const made = objects.filter((one) => one.runtime === runtime && one.seen !== null);
  const wrong = made.filter(({ holds }) => holds === false);
  return [
    block([
      heading(runtime),
      list([
        `rules: ${count(true)} hold, ${count(false)} do not, ${count(null)} without an oracle`,
        `verdicts agree on ${agreeing} values of other rules`,
        `objects of the platform: ${made.length - wrong.length} of ${made.length} as the table says`,
      ]),
    ]),
    shown.map(
      ({ rule, holds, why, fires, nearMiss }) =>
        holds === false &&
        block([
          alert(`${rule}: ${why}`),
          text(`value: ${seenText(fires)}`, { by: 1 }),
          text(`near miss: ${seenText(nearMiss)}`, { by: 1 }),
        ]),
    ),
    wrong.map((one) => alert(`${one.class}: ${objectText(one)}`)),
  ];
}

function seenText({ predicted, fired, confirmed, evidence }: Seen): string {
  const engine = confirmed === null ? 'no oracle' : confirmed ? 'the engine agrees' : 'the engine disagrees';
  const rule = fired ? 'the rule fires' : fired === null ? 'the rule may fire' : 'the rule does not fire';
  return `predicted ${predicted ?? 'nothing'}, ${rule}, ${engine}${evidence === '' ? '' : ` (${evidence})`}`;
}

const outcomes = (some: readonly PostOutcome[] | null): string => some?.join(', ') ?? 'nothing';

export const objectText = ({ channel, told, seen, why }: ObjectResult): string =>
  `over ${channel} it is ${outcomes(seen)}, and told as ${outcomes(told)}${why === '' ? '' : ` (${why})`}`;
