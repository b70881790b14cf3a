/** The baseline on disk. Its order is fixed, with one fact per line, for readable diffs and clean merges. */

import { type DocumentKind, readDocument } from '../../app/store/document.ts';
import type { Waiting } from '../../machine/given-file.ts';
import { fnv1aHex } from '../../model/cut.ts';
import {
  type Baseline,
  type BaselineFacts,
  type BaselinePayload,
  baselineSchema,
  type Demand,
} from '../../model/documents/baseline.ts';
import { ToolError } from '../../model/errors.ts';
import { BASELINE_SCHEMA } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';

export const BASELINE: DocumentKind<Baseline> = {
  id: BASELINE_SCHEMA,
  schema: baselineSchema,
  hint: 'Write it anew: clone-prof baseline',
};

/** Reads the baseline; null if the file does not exist. @throws ToolError 'file-unreadable', 'document-bad' */
export async function readBaseline(path: string, file: string, waiting: Waiting): Promise<Baseline | null> {
  try {
    return await readDocument(path, file, BASELINE, waiting);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'file-missing') return null;
    throw error;
  }
}

const order = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0);

/** Entries sorted by name, each mapped with `of`. An object would put names that are numbers first. */
const sorted = <T>(record: Record<string, T>, of: (one: T) => unknown): Map<string, unknown> =>
  new Map(
    Object.entries(record)
      .sort(order)
      .map(([name, one]) => [name, of(one)]),
  );

/** Depth of a payload's sample in the document: `payloads`, its name, `sample`. */
const SAMPLE_DEPTH = 3;

/**
 * Writes a line for each field and each item of a list: an added or removed blocker is one line of a diff. A sample
 * takes one line: spread over many lines it would hide the facts.
 */
function inLines(value: unknown, name = '', depth = 0): string {
  const isSample = name === 'sample' && depth === SAMPLE_DEPTH;
  if (typeof value !== 'object' || value === null || isSample) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const lines = isList
    ? value.map((item) => JSON.stringify(item))
    : (value instanceof Map ? [...value] : Object.entries(value)).map(
        ([key, field]) => `${JSON.stringify(key)}: ${inLines(field, key, depth + 1)}`,
      );
  if (lines.length === 0) return `${open}${close}`;
  const inner = lines.join(',\n').replaceAll('\n', '\n  ');
  return `${open}\n  ${inner}\n${close}`;
}

const factsOf = (facts: BaselineFacts) => ({ ...facts, heaviest: sorted(facts.heaviest, (bytes) => bytes) });

const payloadOf = ({ runtimes, sample }: BaselinePayload) => ({
  runtimes: sorted(runtimes, factsOf),
  ...(sample && { sample }),
});

/** Hash of each part, by its name, so that two branches that change different parts can be merged. */
function hashesOf({ payloads, demands }: Baseline): Map<string, string> {
  const { payloads: demanded = [], ...terms } = demands ?? {};
  const named = ({ name }: Demand) =>
    [`demands of ${name}`, demanded.filter((one) => one.name === name)] as const;
  const common = demands ? [['demands of the config', terms] as const] : [];
  const parts = [...sorted(payloads, payloadOf), ...demanded.map(named), ...common];
  // A copy that is nested too deeply cannot be written, so its hash is empty.
  return new Map(parts.map(([name, part]) => [name, orElse(() => fnv1aHex(inLines(part)), '')]));
}

/** Names of the parts that were edited after they were written. */
export function editedIn(baseline: Baseline): string[] {
  const written = new Map(Object.entries(baseline.written ?? {}));
  const now = hashesOf(baseline);
  return [...new Set([...written.keys(), ...now.keys()])].filter(
    (name) => written.get(name) !== now.get(name),
  );
}

/** Text of a baseline. The order that its parts were added in does not matter. */
export function baselineText(baseline: Baseline): string {
  const { schema, payloads, demands } = baseline;
  const { payloads: demanded, ...terms } = demands ?? {};
  return `${inLines({
    ...{ schema, payloads: sorted(payloads, payloadOf) },
    ...(demands && { demands: { ...terms, payloads: demanded }, written: hashesOf(baseline) }),
  })}\n`;
}
