/** Adds payloads to the text of a JSON config and leaves the rest of the text unchanged. */
import { applyEdits, type JSONPath, modify } from 'jsonc-parser/lib/esm/main.js';
import type { LimitsConfig, PayloadConfig } from '../../model/documents/config.ts';
import { ToolError } from '../../model/errors.ts';
import { parseJson } from '../document.ts';

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

/** Adds the entries whose input is not among the payloads yet. */
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

/** Sets limits of the payload with this input. */
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
  const next = applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: isNew }));
  try {
    parseJson(next);
    return next;
  } catch (cause) {
    throw new ToolError('internal', { detail: 'a payload could not be put into the config' }, { cause });
  }
}
