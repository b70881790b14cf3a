/** `clone-prof baseline`: the facts that `check` compares with, and fixtures for the sites of recordings. */
import { existsSync, lstatSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileKindOf } from '../../app/sources/load.ts';
import { withLimits, withPayloads } from '../../app/store/config.ts';
import { refuseWithoutRecording } from '../../app/world/analysis.ts';
import { toolsOf } from '../../app/world/services.ts';
import type { BaselineSettings } from '../../cli/options/all.ts';
import { CommandFiles, openOutputFile, printResult, write } from '../../cli/session/output.ts';
import type { Session } from '../../cli/session/session.ts';
import { sayReasons } from '../../cli/session/world.ts';
import { foreignFile, HAND_WRITTEN_BYTES, startOf, textOf, type Waiting } from '../../machine/given-file.ts';
import type { PayloadConfig } from '../../model/documents/config.ts';
import type { RecordedMessages } from '../../model/documents/recorded/recording.ts';
import type { TreeNode, ValueTree } from '../../model/documents/recorded/value-tree.ts';
import { EXIT, isUsageCode, ToolError } from '../../model/errors.ts';
import type { Channel, LibraryName } from '../../model/names.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { CheckConfig } from '../../model/run/check-config.ts';
import { chosenSites, type SiteModule, siteModule } from '../../record/files/recipes.ts';
import { readRecording } from '../../record/files/recording-files.ts';
import { channelOf, placeOfSite, siteNames, sizeDifference } from '../../record/sites/sites.ts';
import { type Chance, chanceFrom, MaskedTexts, maskTree } from '../../record/values/masks.ts';
import { childrenOf, mapChildren } from '../../record/values/tree-children.ts';
import { baselineNodes } from '../../report/print/check.ts';
import { terminalNodes } from '../../report/terminal/nodes.ts';
import { visibleLine } from '../../report/text/escape.ts';
import { counted } from '../../report/text/numbers.ts';
import { listed } from '../../report/words.ts';
import { isObject } from '../../value/read/own-data.ts';
import { askedHere, configHere, demandsNow, type GateQuery, openGate } from '../check/gate-request.ts';
import { moveBaseline, readBaseline } from '../check/sides.ts';
import { baselineText, changesOf } from '../compare/baseline.ts';
import { failureReason } from './check.ts';

type BaselineQuery = GateQuery & Pick<BaselineSettings, 'samples' | 'mask'> & Partial<SiteChoice>;

/** Writes the current facts and prints changes, for `clone-prof check --accept` too. */
export async function runBaseline(options: BaselineQuery, session: Session): Promise<number> {
  const { payloads, top = null, site = null } = options;
  const choice = { top, site };
  const hasRecording = payloads.some(isRecording);
  refuseWithoutRecording(choice, hasRecording);
  if (!hasRecording) return writeBaseline(session, options, null);
  const { made, hasFailed } = await fromRecordings(session, options, choice);
  const exit = made === null ? EXIT.ok : await writeBaseline(session, { ...options, ...made }, made);
  return exit === EXIT.ok && hasFailed ? EXIT.failure : exit;
}

async function writeBaseline(session: Session, options: BaselineQuery, made: Made | null): Promise<number> {
  const { progress, signal, world } = session;
  const gate = await openGate(session, options, await askedHere(session, options));
  const { baselinePath, baselineFile } = gate;
  const sources = [...gate.sources.values()].flat();
  const files = new CommandFiles(gate.cwd, sources.map(sourceFile));
  files.reads([gate.config.file ?? []].flat(), world.cwd());
  files.writes(baselinePath, 'baseline');
  const output = openOutputFile(baselinePath, world.cwd());
  const old = await readBaseline(baselinePath, baselineFile, gate);
  const samples = options.mask ? 'masked' : 'plain';
  const moved = await moveBaseline(old, gate, options.samples ? samples : null, toolsOf(session));
  const { failures } = moved;
  progress.clear();
  if (signal.aborted) throw new ToolError('interrupted');
  if (made !== null) await loosen(session, made, moved);
  const config = made === null ? gate.config : await configHere(session, options.config, options.timeoutMs);
  const baseline = { ...moved.baseline, demands: demandsNow(config, gate.asked, old?.demands) };
  const changes = changesOf(old, baseline);
  await sayReasons(failures.map(failureReason), world);
  const isPrivate = Object.values(baseline.payloads).some(({ sample }) => sample);
  if (isPrivate) progress.listen({ type: 'warning', text: privacyWarning(baselineFile, options.mask) });
  await output.write(baselineText(baseline), isPrivate ? OWNER_ONLY : undefined);
  await printResult((options) => terminalNodes(baselineNodes(baselineFile, changes), options), world);
  if (failures.length === 0) return EXIT.ok;
  return failures.some(({ code }) => isUsageCode(code)) ? EXIT.usage : EXIT.failure;
}

/** Mode of a file that holds the user's values: only the owner can read it. */
const OWNER_ONLY = 0o600;

const privacyWarning = (file: string, isMasked: boolean) =>
  `${file} holds copies of payloads${isMasked ? ', whose texts are masked' : ' (--mask hides texts)'}. Commit it only where all their values may be public`;

const isRecording = (file: string): boolean => fileKindOf(file, null) === 'recording';

const NEW_CONFIG = 'clone-prof.config.json';

/** Payloads that were made of recordings and added to the config, with other named payloads. */
type Made = NonNullable<Awaited<ReturnType<typeof fromRecordings>>['made']>;

/** `clone-prof baseline app.cprof`. `made`: null if the config is code, because its author adds the payloads. */
async function fromRecordings(
  session: Session,
  { payloads, config: named, timeoutMs }: BaselineQuery,
  choice: SiteChoice,
) {
  const { world, progress, signal } = session;
  const cwd = world.cwd();
  const config = await configHere(session, named, timeoutMs);
  const recordings = payloads.filter(isRecording);
  const { sites, failed } = await writeFixtures(recordings, config, { ...choice, timeoutMs }, session);
  await sayReasons(failed, world);
  const hasFailed = failed.length > 0;
  const entries = sites.map((site) => gateEntry(site, config.common));
  if (entries.length === 0) throw new ToolError('no-input');
  const file = config.file ?? NEW_CONFIG;
  if (!file.endsWith('.json')) {
    const lines = entries.map((entry) => `    ${JSON.stringify(entry)},`);
    const text = `Add to ${file}, then run npx clone-prof baseline:\n\n  payloads: [\n${lines.join('\n')}\n  ],\n`;
    await write(world.stdout, text);
    return { made: null, hasFailed };
  }
  const change = configWriter(file, cwd, { timeoutMs, signal });
  await change((document) => withPayloads(document, entries));
  progress.listen({ type: 'note', text: `${file} has ${entries.length} payloads of the recording` });
  const added = entries.map(({ input }) => relative(cwd, resolve(config.folder, input)));
  const others = payloads.filter((one) => !isRecording(one));
  return { made: { payloads: [...others, ...added], sites, change }, hasFailed };
}

type Change = (edit: (document: Parameters<typeof withPayloads>[0]) => string) => Promise<void>;

/** Turns limits off that fixtures break, and limits of fixtures that are larger or smaller than their messages. */
async function loosen(
  { progress }: Session,
  { sites, change }: Made,
  { unmet, copied }: Awaited<ReturnType<typeof moveBaseline>>,
): Promise<void> {
  for (const { input, posted } of sites) {
    const bytes = copied.get(input);
    const difference = bytes === undefined ? null : sizeDifference(bytes, posted);
    if (difference === null) continue;
    await change((document) => withLimits(document, input, { class: 'off', maxBytes: 'off' }));
    progress.listen({ type: 'warning', text: `${input}: ${difference} Its limits are off` });
  }
  for (const input of new Set(unmet.flatMap(({ file }) => file ?? []))) {
    const broken = [...new Set(unmet.filter(({ file }) => file === input).map(({ limit }) => limit))];
    const limits = Object.fromEntries(broken.map((name) => [name, 'off']));
    await change((document) => withLimits(document, input, limits));
    const off = broken.length === 1 ? 'this limit is off for it' : 'these limits are off for it';
    const text = `${input} breaks ${listed(broken)} as it is: ${off}`;
    progress.listen({ type: 'warning', text });
  }
}

/** Returns a function that edits a JSON config, or writes a new config. A config that is code is left to its author. */
function configWriter(file: string, cwd: string, waiting: Waiting): Change {
  const path = resolve(cwd, file);
  const output = openOutputFile(file, cwd);
  const at = basename(path) === 'package.json' ? ['clone-prof'] : [];
  return async (edit) => {
    const text = existsSync(path)
      ? await textOf(path, HAND_WRITTEN_BYTES, waiting)
      : '{\n  "extends": "recommended"\n}\n';
    const next = edit({ text, at });
    if (next !== text) await output.write(next);
  };
}

export interface GateSite {
  id: string;
  input: string;
  via: LibraryName | null;
  channel: Channel;
  /** Null if it is not known what it was recorded on. */
  runtime: string | null;
}

type FixtureSite = GateSite & { posted: RecordedMessages };

/** First words of every fixture that is written. Only files that begin with them may be overwritten. */
const MARKER = '// Made by clone-prof';
/** Maximum number of sites, out of the sites that make 95 % of the cost. */
const MAX_FIXTURES = 20;
/** Fixed, so that the values are equal on every machine. */
const SEED = 1;

/**
 * Writes a file for each site that matters, which holds none of the program's values. `failed`: a sentence for each site
 * that could not be made into a payload. A file that clone-prof did not write is refused before any file is written.
 */
async function writeFixtures(
  files: readonly string[],
  config: CheckConfig,
  choice: SiteChoice & { timeoutMs: number },
  { world, progress, signal }: Session,
): Promise<{ sites: FixtureSite[]; failed: string[] }> {
  const cwd = world.cwd();
  const failed: string[] = [];
  const waiting = { timeoutMs: choice.timeoutMs, signal };
  const recordings = await Promise.all(files.map((file) => readRecording(resolve(cwd, file), file, waiting)));
  const made = recordings.flatMap((recording, at) => {
    const { header, messages } = recording;
    const names = siteNames(messages);
    return chosenSites(recording, choice, files[at]!, MAX_FIXTURES).flatMap((index) => {
      const [one, name] = [messages[index]!, names[index]!];
      try {
        const runtime = (one.runtime ?? header.runtime)?.name ?? null;
        return [{ name, one, runtime, module: committedModule(one) }];
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        failed.push(`${files[at]}: ${name}: ${error.message}`);
        return [];
      }
    });
  });
  const names = fileNames(made.map(({ name }) => name));
  const opened = made.map(({ one, module, runtime }, i) => {
    const id = names[i]!;
    const shown = relative(cwd, join(config.folder, config.fixtures, `${id}.mjs`));
    refuseForeign(resolve(cwd, shown), shown);
    const input = relative(config.folder, resolve(cwd, shown)).replaceAll('\\', '/');
    const site = { id, input, via: module.via, channel: channelOf(one), runtime, posted: one };
    return { site, shown, text: fileText(one, module), output: openOutputFile(shown, cwd) };
  });
  for (const { site, shown, text, output } of opened) {
    await output.write(text);
    const of = `${counted(site.posted.count, 'message')} of ${placeOfSite(site.posted)}`;
    progress.listen({ type: 'note', text: `wrote ${shown}: ${of}` });
  }
  return { sites: opened.map(({ site }) => site), failed };
}

/** Makes a module without the program's values, even if messages were kept, because the file is committed. */
function committedModule({ envelope, sample }: RecordedMessages): SiteModule {
  const chance = chanceFrom(String(SEED));
  const own = sample === null ? null : committed(sample, chance);
  const module = siteModule({ envelope, sample: own }, { values: 'none' }, SEED);
  if (module === null) throw new ToolError('shape-unknown', { file: 'the recording' });
  return module;
}

function fileText(one: RecordedMessages, { text, values }: SiteModule): string {
  const end = text.indexOf('\n');
  const said = [
    `Posted by ${placeOfSite(one)} with ${one.api}: ${counted(one.count, 'message')}.`,
    ...values.differences.map((difference) => `Other than the messages: ${difference}.`),
  ];
  // Names and patterns come from the program and may hold any text: each is kept on one line.
  const comments = said.map((line) => `// ${visibleLine(line)}`);
  return [text.slice(0, end), ...comments, text.slice(end + 1)].join('\n');
}

/** Refuses to overwrite a file that clone-prof did not write, and to write through a link. */
function refuseForeign(path: string, file: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined || (there.isFile() && startOf(path, MARKER.length) === MARKER)) return;
  throw foreignFile(file, MARKER);
}

/** File systems allow 255 bytes. */
const MAX_LENGTH = 80;

/** A different name without an ending for each: "src/pool.js:41#2" is "src-pool.js-41-2". */
export function fileNames(sites: readonly string[]): string[] {
  const taken = new Set<string>();
  return sites.map((site) => {
    const plain = site
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(-MAX_LENGTH);
    const base = plain === '' ? 'site' : plain;
    let name = base;
    // Some file systems do not tell capitals apart.
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${base}-${i}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** No slower path than now, at most a tenth more bytes; on the recorded runtime if the config lacks its kind. */
export function gateEntry(
  { id, input, via, channel, runtime }: GateSite,
  common: Pick<CheckConfig['common'], 'runtimes' | 'channels'>,
): PayloadConfig {
  const isThere = runtime === null || common.runtimes.some((spec) => spec.split('@')[0] === runtime);
  const isUsual = common.channels.length === 1 && common.channels[0] === channel;
  return {
    id,
    input,
    export: 'default',
    ...(via === null ? {} : { via }),
    ...(isThere ? {} : { runtimes: [runtime] }),
    ...(isUsual ? {} : { channels: [channel] }),
    limits: { class: 'baseline', maxBytes: '+10%' },
  };
}

/** Nodes of a file that people can read. */
const MAX_NODES = 1500;
/** Numbers of items that are left of a list: the first that makes the file small enough. */
const ITEMS_LEFT = [Number.POSITIVE_INFINITY, 128, 64, 32, 16, 8] as const;

/** A recorded message as a file to commit: without the program's values; some items of a long list stand for all. */
export function committed(tree: ValueTree, chance: Chance): ValueTree {
  const texts = new MaskedTexts();
  const masked = maskTree(structuredClone(tree), 'none', chance, texts);
  texts.finish();
  const most = ITEMS_LEFT.find((left) => nodesIn(thinned(masked, left)) <= MAX_NODES) ?? ITEMS_LEFT.at(-1)!;
  return thinned(masked, most);
}

const nodesIn = (tree: ValueTree): number =>
  isObject(tree) ? childrenOf(tree).reduce<number>((sum, child) => sum + nodesIn(child), 1) : 1;

function thinned(tree: ValueTree, most: number): ValueTree {
  if (!isObject(tree)) return tree;
  const inner = mapChildren(tree, (child) => thinned(child, most));
  if (inner.is !== 'object' && inner.is !== 'array' && inner.is !== 'map' && inner.is !== 'set') return inner;
  const name = 'items' in inner ? 'items' : 'entries';
  const all: readonly unknown[] = 'items' in inner ? inner.items : inner.entries;
  const isWhole = 'at' in inner || all.length <= (inner.is === 'object' ? Math.max(most, MIN_KEYS) : most);
  if (isWhole) return inner;
  const some = Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]);
  return { ...inner, [name]: some, of: inner.of ?? all.length } as TreeNode;
}

/** An object with this number of keys is a map. */
const MIN_KEYS = 64;
