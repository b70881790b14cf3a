/** Finds and checks the config of the gate, merges it with its preset, and edits the text of a JSON config. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deserialize } from 'node:v8';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser/lib/esm/main.js';
import { foldersUpFrom } from '../../machine/folders.ts';
import { HAND_WRITTEN_BYTES, textOf, type Waiting } from '../../machine/given-file.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';
import type { Limit } from '../../model/documents/baseline.ts';
import {
  type Config,
  configSchema,
  LIBRARY_OPTIONS,
  type LimitsConfig,
  type PayloadConfig,
} from '../../model/documents/config.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { LIMIT_LEVELS, LIMITS, type LimitLevel, type LimitName } from '../../model/gate/limits.ts';
import type { CostClass } from '../../model/names.ts';
import type { CheckConfig, CheckEntry } from '../../model/run/check-config.ts';
import { type Issue, pathText, safeParse } from '../../model/schema.ts';
import { growthOf, sizeOf } from '../../model/units.ts';
import { parseJson } from './documents.ts';

/** Sends only data. Functions are saved: the config may replace them. Arguments are removed: they tell where it runs. */
const SCRIPT = `
import { writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
const [file, answer] = process.argv.splice(1).slice(-2);
const write = writeFileSync;
const exit = process.exit.bind(process);
const tell = (failed) => write(answer, serialize({ failed }));
const post = ({ default: content }) => {
  try {
    write(answer, serialize({ content }));
  } catch {
    tell('its default export is more than data: a function, or a class');
  }
};
import(file).then(post, (error) => tell(String(error?.message ?? error))).then(() => exit());
`;

const RUN = process.versions.deno === undefined ? [] : ['run', '-A'];

/**
 * Default export of a module, evaluated in a separate process: a config that calls `process.exit(0)`, listens to the
 * end of the process or changes globals does not affect the gate.
 * @throws Error if the module threw, ended, took too long, was interrupted, or exports more than data
 */
const evaluated = (file: string, cwd: string, { timeoutMs, signal, env }: ConfigPlace): Promise<unknown> =>
  withWorkFolder(async (folder) => {
    const [script, answer] = [join(folder, 'evaluate.mjs'), join(folder, 'answer')];
    writeFileSync(script, SCRIPT);
    const child = spawn(process.execPath, [...RUN, script, pathToFileURL(file).href, answer], {
      ...{ cwd, signal, timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true },
      env: { ...(env ?? process.env), PWD: cwd },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code === null) throw new Error(`it took longer than ${timeoutMs} ms`);
    if (!existsSync(answer)) throw new Error(`it ended (exit code ${code}) before its export was known`);
    const said: { content: unknown } | { failed: string } = deserialize(readFileSync(answer));
    if ('failed' in said) throw new Error(said.failed);
    return said.content;
  });

/** @throws ToolError 'usage' for an option of a library function that is not known, or has another type */
export function checkOptions(of: keyof typeof LIBRARY_OPTIONS, options: unknown): void {
  const { error } = safeParse(LIBRARY_OPTIONS[of], options, { reportInput: true });
  if (error) throw usage(`${of}: ${issueTexts(error.issues)}`);
}

const issueTexts = (issues: readonly Issue[]): string => issues.map(issueText).join('; ');

/** `payloads[0].limits.maxBytes: expected a size with its unit, ...; got 64` */
function issueText(issue: Issue): string {
  const deeper = deepestOf(issue);
  const place = settingText(deeper.path);
  const got = deeper.code === 'unrecognized_keys' ? '' : `; got ${shownValue(deeper.input)}`;
  return `${place === '' ? '' : `${place}: `}${deeper.message.replace(OF_ZOD, '')}${got}`;
}

/** "Invalid input: expected string, received number": the value itself is shown. */
const OF_ZOD = /^Invalid \w+: |, received \w+$/g;

/** Innermost issue. A payload is a text or an object: an issue within the object says more than "it is not a text". */
function deepestOf(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || typeof issue.input !== 'object' || issue.input === null) return issue;
  if (Array.isArray(issue.input)) return issue;
  const inner = issue.errors.flat().find(({ code, path }) => code === 'unrecognized_keys' || path.length > 0);
  return inner ? deepestOf({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

const settingText = (path: readonly PropertyKey[]): string => pathText(path).replace(/^\./, '');

const SHOWN_VALUE = 60;

function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_VALUE ? `${text.slice(0, SHOWN_VALUE)}…` : text;
}

const NAME = 'clone-prof';
const MANIFEST = 'package.json';
const PLACES = [...['json', 'mjs', 'js', 'ts'].map((ending) => `${NAME}.config.${ending}`), MANIFEST];

/** Files of the folder that may be or hold a config, in the order in which they count. */
export const configPlaces = (folder: string) => PLACES.map((name) => join(folder, name));

/** Place of a config, and the longest wait for a config that is a pipe or that is code. */
export interface ConfigPlace extends Waiting {
  /** Absolute path that the user named; null: the nearest config. */
  file: string | null;
  /** Outermost folder that is searched. */
  root: string;
  /** Environment of a config that is code; absent: that of this process. */
  env?: Record<string, string | undefined>;
  /** Gives the path of a JavaScript file that a plain import can load. */
  compile: (file: string) => Promise<string>;
  onRead?: (file: string) => void;
  onRun: (file: string) => void;
}

/**
 * Reads the named file, or the nearest config from `cwd` up to `root`. The default config has the recommended limits and
 * does not list payloads. A config that is code runs in a separate process; payload modules run in other processes.
 * @throws ToolError 'file-missing', 'config-bad': names the key, what was expected there, and an example
 */
export async function readConfig(cwd: string, place: ConfigPlace): Promise<CheckConfig> {
  const { root } = place;
  const file = place.file === null ? null : resolve(cwd, place.file);
  if (file !== null && !existsSync(file)) throw new ToolError('file-missing', { file });
  const folders = foldersUpFrom(cwd);
  const searched = folders.slice(0, folders.indexOf(root) + 1 || folders.length);
  const places = searched.flatMap(configPlaces);
  for (const path of file === null ? places.filter((one) => existsSync(one)) : [file]) {
    const content = await loaded(path, cwd, place);
    // An empty file counts as a config only if the user named it.
    if (content === undefined && file === null) continue;
    const shown = relative(cwd, path);
    return configOf(parsed(content ?? {}, shown), shown, dirname(path));
  }
  return configOf({}, null, cwd);
}

const CODE = /\.[cm]?[jt]s$/;

/** Content of the file; undefined if it is empty, or a package.json without a config. */
async function loaded(path: string, cwd: string, place: ConfigPlace): Promise<unknown> {
  const { file, compile, onRead, onRun } = place;
  onRead?.(path);
  const isCode = CODE.test(path);
  try {
    // A pipe must be a JSON file that the user named, because code is read again when it is imported.
    if ((file === null || isCode) && !statSync(path).isFile()) throw new Error('not a regular file');
    const text = await textOf(path, HAND_WRITTEN_BYTES, place);
    if (text.trim() === '') return undefined;
    if (isCode) {
      onRun(path);
      return await evaluated(/\.m?ts$/.test(path) ? await compile(path) : path, cwd, place);
    }
    const content = parseJson(text);
    return basename(path) === MANIFEST ? (content as Record<string, unknown> | null)?.[NAME] : content;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (place.signal?.aborted) throw new ToolError('interrupted');
    const detail = `cannot be loaded: ${(error as Error).message}`;
    throw new ToolError('config-bad', { file: relative(cwd, path), detail });
  }
}

function parsed(content: unknown, file: string): Config {
  const result = safeParse(configSchema, content, { reportInput: true });
  if (result.success) return withOneEntryPerCodec(result.data, file);
  throw new ToolError('config-bad', { file, detail: issueTexts(result.error.issues) });
}

/** Each codec belongs to one entry, because its schema is made of all payloads of that entry. */
function withOneEntryPerCodec(config: Config, file: string): Config {
  const codecs = (config.payloads ?? []).flatMap((one) => (typeof one === 'string' ? [] : (one.codec ?? [])));
  const twice = codecs.find((codec, at) => codecs.indexOf(codec) !== at);
  if (twice === undefined) return config;
  const detail = `payloads: two name the codec ${JSON.stringify(twice)}. Give one entry a glob for both`;
  throw new ToolError('config-bad', { file, detail });
}

/** Default limits by the name in `extends`; limits of the config and the payload override them. */
const PRESETS = {
  recommended: {
    class: 'baseline',
    maxBytes: '+10%',
    maxNodes: '+10%',
    maxAmplification: 2,
    lossy: 'warn',
    rejected: 'error',
    transfer: ['warn', 'all'],
  },
  strict: {
    class: 'baseline',
    maxBytes: '+5%',
    maxNodes: '+5%',
    maxDepth: '+0%',
    maxAmplification: 1.1,
    lossy: 'error',
    rejected: 'error',
    transfer: 'all',
    time: ['warn', '+10%'],
  },
} as const satisfies Record<NonNullable<Config['extends']>, LimitsConfig>;

type WrittenLimit = LimitsConfig[LimitName];

const isLevel = (value: unknown): value is LimitLevel => LIMIT_LEVELS.some((level) => level === value);

function limitOf(name: LimitName, written: WrittenLimit, preset: boolean): Limit | undefined {
  if (written === undefined) return undefined;
  const [level, value] = Array.isArray(written)
    ? written
    : isLevel(written)
      ? [written, true as const]
      : ['error' as const, written];
  return { level, ...meaningOf(name, value), ...(preset ? { preset: true as const } : {}) };
}

function meaningOf(name: LimitName, value: string | number | true): Omit<Limit, 'level'> {
  if (name === 'lossy' || name === 'rejected') return { value: true, text: 'none' };
  if (value === true || name === 'transfer') return { value: true, text: 'all' };
  if (typeof value === 'number') return { value, text: String(value) };
  const grown = growthOf(value);
  if (grown !== null) return { value: grown, against: 'baseline', text: value };
  if (name !== 'class') return { value: sizeOf(value) ?? 0, text: value };
  return value === 'baseline'
    ? { value: true, against: 'baseline', text: 'as in the baseline' }
    : { value: value as CostClass, text: value };
}

/** Later arguments override earlier ones: the preset, the config, the payload. */
function mergedLimits(preset: LimitsConfig, ...said: (LimitsConfig | undefined)[]) {
  const merged: Partial<Record<LimitName, Limit>> = {};
  for (const name of LIMITS) {
    const own = said.map((limits) => limits?.[name]).findLast((written) => written !== undefined);
    const limit = limitOf(name, own ?? preset[name], own === undefined);
    if (limit) merged[name] = limit;
  }
  return merged;
}

function entryOf(text: Config, own: Partial<PayloadConfig>): CheckEntry {
  const { sender = text.sender, codec, gain, type } = own;
  return {
    id: own.id ?? null,
    input: own.input ?? '',
    export: own.export ?? null,
    as: own.as ?? null,
    // The default runtime is on every machine, so that the result does not depend on PATH.
    runtimes: own.runtimes ?? text.runtimes ?? ['node'],
    channels: own.channels ?? text.channels ?? ['worker'],
    ...(sender && { sender }),
    via: own.via ?? null,
    transfer: own.transfer ?? [],
    remedies: own.remedies ?? text.remedies ?? [],
    ...{ ...(codec && { codec }), ...(gain && { gain }), ...(type && { type }) },
    limits: mergedLimits(PRESETS[text.extends ?? 'recommended'], text.limits, own.limits),
  };
}

const configOf = (text: Config, file: string | null, folder: string): CheckConfig => ({
  ...{ file, folder },
  baseline: text.baseline ?? 'clone-prof.baseline.json',
  fixtures: text.fixtures ?? 'clone-prof.fixtures',
  needsBaseline: text.baseline !== undefined,
  new: text.new ?? 'error',
  undecided: text.undecided ?? 'error',
  removed: text.removed ?? [],
  common: entryOf(text, {}),
  entries: (text.payloads ?? []).map((one) => entryOf(text, typeof one === 'string' ? { input: one } : one)),
});

interface JsonConfig {
  text: string;
  /** Keys that lead to the config in the document: "clone-prof" in package.json. */
  at: readonly string[];
}

/** Entries of the config; empty if they are missing or malformed. Reading the config reports malformed entries. */
function entriesIn({ text, at }: JsonConfig): unknown[] {
  let found: unknown = parseJson(text);
  for (const key of [...at, 'payloads']) found = (found as Record<string, unknown> | undefined)?.[key];
  return Array.isArray(found) ? found : [];
}

const inputOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null ? (entry as { input?: unknown }).input : entry;

/** Adds the entries whose input is not among the payloads yet, and leaves the rest of the text unchanged. */
export function withPayloads(config: JsonConfig, added: readonly PayloadConfig[]): string {
  let { text } = config;
  const known = entriesIn(config);
  let count = known.length;
  for (const entry of added) {
    if (known.some((one) => inputOf(one) === entry.input)) continue;
    text = edited(text, [...config.at, 'payloads', count++], entry, true);
  }
  return text;
}

export function withLimits(config: JsonConfig, input: string, limits: LimitsConfig): string {
  const index = entriesIn(config).findIndex((one) => inputOf(one) === input);
  let { text } = config;
  if (index < 0) return text;
  for (const [name, limit] of Object.entries(limits))
    text = edited(text, [...config.at, 'payloads', index, 'limits', name], limit, false);
  return text;
}

function edited(text: string, path: JSONPath, value: unknown, isNew: boolean): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: isNew }));
}
