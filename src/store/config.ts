/** The config of the gate: found, checked, and merged with its preset. */
import { dirname, relative, resolve } from 'node:path';
import type { z } from 'zod';
import type { CheckConfig, CheckEntry } from '../model/check.ts';
import { ToolError } from '../model/errors.ts';
import { type Compile, findConfig } from './config/find.ts';
import { mergedLimits } from './config/limits.ts';
import { PRESETS } from './config/presets.ts';
import { type ConfigText, configSchema } from './config/schema.ts';

const BASELINE_FILE = 'clone-prof.baseline.json';

export interface ConfigOptions {
  /** Named by the user; null: the nearest one. */
  file: string | null;
  compile: Compile;
}

/**
 * The config for `cwd`; without a file, one without payloads and with the recommended limits.
 *
 * @throws ToolError 'file-missing', 'config-bad': names the key, what was expected there, and an example
 */
export async function readConfig(cwd: string, { file, compile }: ConfigOptions): Promise<CheckConfig> {
  const named = file === null ? null : resolve(cwd, file);
  const found = await findConfig(cwd, { file: named, compile });
  if (found === null) return configOf({}, null, cwd);
  const shown = relative(cwd, found.path);
  return configOf(parsed(found.content, shown), shown, dirname(found.path));
}

/** An entry for a payload that no config names: the limits, runtimes and channels of all. */
export function entryFor(input: string, config: CheckConfig): CheckEntry {
  return { ...config.common, input };
}

function parsed(content: unknown, file: string): ConfigText {
  const result = configSchema.safeParse(content, { reportInput: true });
  if (result.success) return result.data;
  throw new ToolError('config-bad', { file, detail: issueTexts(result.error.issues).join('; ') });
}

/** One sentence a place: its others say the same in other words. */
function issueTexts(issues: readonly z.core.$ZodIssue[]): string[] {
  const byPlace = new Map(issues.toReversed().map((issue) => [placeOf(issue.path), issueText(issue)]));
  return [...byPlace.values()].reverse();
}

/** `payloads[0].limits.maxBytes: expected a size with its unit, ...; got 64` */
function issueText(issue: z.core.$ZodIssue): string {
  const deeper = deepestOf(issue);
  const place = placeOf(deeper.path);
  const got = deeper.code === 'unrecognized_keys' ? '' : `; got ${shownValue(deeper.input)}`;
  return `${place === '' ? '' : `${place}: `}${deeper.message}${got}`;
}

/** A payload is a text or an object: what is wrong within the object says more than that it is no text. */
function deepestOf(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || typeof issue.input !== 'object' || issue.input === null) return issue;
  if (Array.isArray(issue.input)) return issue;
  const inner = issue.errors.flat().find(({ code, path }) => code === 'unrecognized_keys' || path.length > 0);
  return inner ? deepestOf({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

const SHOWN_VALUE = 60;

function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_VALUE ? `${text.slice(0, SHOWN_VALUE)}…` : text;
}

function configOf(text: ConfigText, file: string | null, folder: string): CheckConfig {
  const preset = PRESETS[text.extends ?? 'recommended'];
  const common: CheckEntry = {
    id: null,
    input: '',
    export: null,
    as: null,
    // One runtime that is everywhere: what happens to be on PATH must not decide.
    runtimes: text.runtimes ?? ['node'],
    channels: text.channels ?? ['worker'],
    via: null,
    transfer: [],
    limits: mergedLimits(preset, text.limits),
  };
  const entries = (text.payloads ?? []).map((payload): CheckEntry => {
    const own = typeof payload === 'string' ? { input: payload } : payload;
    return {
      id: own.id ?? null,
      input: own.input,
      export: own.export ?? null,
      as: own.as ?? null,
      runtimes: own.runtimes ?? common.runtimes,
      channels: own.channels ?? common.channels,
      via: own.via ?? null,
      transfer: own.transfer ?? [],
      limits: mergedLimits(preset, text.limits, own.limits),
    };
  });
  return { file, folder, baseline: text.baseline ?? BASELINE_FILE, common, entries };
}
