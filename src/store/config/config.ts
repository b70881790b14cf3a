/** The config of the gate: found, checked, and merged with its preset. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { foldersUpFrom } from '../../machine/folders.ts';
import { HAND_WRITTEN_BYTES, textOf, type Waiting } from '../../machine/given-file.ts';
import { type Config, configSchema, type PayloadConfig } from '../../model/documents/config.ts';
import { ToolError } from '../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../model/gate/limits.ts';
import type { Channel } from '../../model/names.ts';
import { safeParse } from '../../model/schema.ts';
import { parseJson } from '../document.ts';
import { evaluated } from './evaluate.ts';
import { issueTexts } from './issues.ts';
import { mergedLimits, PRESETS } from './limits.ts';

const NAME = 'clone-prof';
const MANIFEST = 'package.json';
const PLACES = [...['json', 'mjs', 'js', 'ts'].map((ending) => `${NAME}.config.${ending}`), MANIFEST];

export interface ConfigPlace {
  /** Named by the user, absolute; null: the nearest one. */
  file: string | null;
  /** The outermost folder that is looked in. */
  root: string;
  /** Gives the path of a JavaScript file that a plain import can load. */
  compile: (file: string) => Promise<string>;
  /** Called before what is there is read. */
  onRead?: (file: string) => void;
  /** Called before a config that is code runs. */
  onRun: (file: string) => void;
  /** For a named one that is a pipe. */
  waiting: Waiting;
}

interface FoundConfig {
  path: string;
  content: unknown;
}

/**
 * The named file, or the nearest one from `cwd` up to `root`; null when there is none. A config that is code runs in
 * a process of its own; payload modules run in other processes.
 *
 * @throws ToolError 'file-missing', 'config-bad' when it cannot be loaded
 */
async function findConfig(cwd: string, place: ConfigPlace): Promise<FoundConfig | null> {
  const { file, root } = place;
  const folders = foldersUpFrom(cwd);
  const searched = folders.slice(0, folders.indexOf(root) + 1 || folders.length);
  const paths =
    file === null ? searched.flatMap((folder) => PLACES.map((name) => join(folder, name))) : [file];
  for (const path of paths) {
    const content = await loaded(path, cwd, place);
    // An empty file is a config where somebody named it.
    if (content === MISSING || (content === undefined && file === null)) continue;
    return { path, content: content ?? {} };
  }
  if (file !== null) throw new ToolError('file-missing', { file });
  return null;
}

const MISSING = Symbol('missing');
const NOT_THERE = new Set<string | undefined>(['ENOENT', 'ENOTDIR']);
const CODE = /\.[cm]?[jt]s$/;

/** What the file holds; undefined: it is empty, or a package.json that says nothing about it. */
async function loaded(path: string, cwd: string, place: ConfigPlace): Promise<unknown> {
  const { file, compile, onRead, onRun, waiting } = place;
  if (onRead && existsSync(path)) onRead(path);
  const isCode = CODE.test(path);
  try {
    // Only a JSON file that somebody named may be a pipe: code is read again when it is imported.
    if ((file === null || isCode) && !statSync(path).isFile()) throw new Error('not a regular file');
    const text = await textOf(path, HAND_WRITTEN_BYTES, waiting);
    if (text.trim() === '') return undefined;
    if (isCode) {
      onRun(path);
      return await evaluated(/\.m?ts$/.test(path) ? await compile(path) : path, cwd, waiting);
    }
    const content = parseJson(text);
    return basename(path) === MANIFEST ? (content as Record<string, unknown> | null)?.[NAME] : content;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (waiting.signal?.aborted) throw new ToolError('interrupted');
    const { code, message } = error as NodeJS.ErrnoException;
    if (NOT_THERE.has(code) && !existsSync(path)) return MISSING;
    throw new ToolError('config-bad', { file: relative(cwd, path), detail: `cannot be loaded: ${message}` });
  }
}

/**
 * The config for `cwd`; without a file, one without payloads and with the recommended limits.
 *
 * @throws ToolError 'file-missing', 'config-bad': names the key, what was expected there, and an example
 */
export async function readConfig(cwd: string, options: ConfigPlace): Promise<CheckConfig> {
  const { file } = options;
  const found = await findConfig(cwd, { ...options, file: file === null ? null : resolve(cwd, file) });
  if (found === null) return configOf({}, null, cwd);
  const shown = relative(cwd, found.path);
  return configOf(parsed(found.content, shown), shown, dirname(found.path));
}

/** The entry of a payload that the config does not name: common limits, runtimes and channels. */
export function entryFor(input: string, config: CheckConfig): CheckEntry {
  return { ...config.common, input };
}

function parsed(content: unknown, file: string): Config {
  const result = safeParse(configSchema, content, { reportInput: true });
  if (result.success) return withOneEntryPerCodec(result.data, file);
  throw new ToolError('config-bad', { file, detail: issueTexts(result.error.issues).join('; ') });
}

/** The schema of a codec is that of all payloads of one entry. */
function withOneEntryPerCodec(config: Config, file: string): Config {
  const codecs = (config.payloads ?? []).flatMap((one) => (typeof one === 'string' ? [] : (one.codec ?? [])));
  const twice = codecs.find((codec, at) => codecs.indexOf(codec) !== at);
  if (twice === undefined) return config;
  const detail = `payloads: two name the codec ${JSON.stringify(twice)}. Give one entry a glob for both`;
  throw new ToolError('config-bad', { file, detail });
}

/** What a payload says for itself; the rest is that of all, or usual. */
function entryOf(text: Config, own: Partial<PayloadConfig>): CheckEntry {
  return {
    id: own.id ?? null,
    input: own.input ?? '',
    export: own.export ?? null,
    as: own.as ?? null,
    // One runtime that is on every machine: the result must not depend on PATH.
    runtimes: own.runtimes ?? text.runtimes ?? ['node'],
    channels: (own.channels ?? text.channels ?? ['worker']).map(channelNamed),
    sender: own.sender ?? text.sender,
    via: own.via ?? null,
    transfer: own.transfer ?? [],
    remedies: own.remedies ?? text.remedies ?? [],
    codec: own.codec,
    gain: own.gain,
    type: own.type,
    limits: mergedLimits(PRESETS[text.extends ?? 'recommended'], text.limits, own.limits),
  };
}

/** Earlier versions had one channel between processes. */
const channelNamed = (name: Channel | 'ipc'): Channel => (name === 'ipc' ? 'ipc-advanced' : name);

const configOf = (text: Config, file: string | null, folder: string): CheckConfig => ({
  ...{ file, folder },
  baseline: text.baseline ?? 'clone-prof.baseline.json',
  fixtures: text.fixtures ?? 'clone-prof.fixtures',
  needsBaseline: text.baseline !== undefined,
  new: text.new ?? 'error',
  undecided: text.undecided ?? 'error',
  common: entryOf(text, {}),
  entries: (text.payloads ?? []).map((one) => entryOf(text, typeof one === 'string' ? { input: one } : one)),
});
