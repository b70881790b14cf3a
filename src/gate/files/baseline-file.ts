import { type DocumentKind, readDocument } from '../../app/store/document.ts';
import type { Waiting } from '../../machine/given-file.ts';
import { fnv1aHex } from '../../model/cut.ts';
import {
  type Baseline,
  type BaselineFacts,
  type BaselinePayload,
  baselineSchema,
} from '../../model/documents/baseline.ts';
import { ToolError } from '../../model/errors.ts';
import { BASELINE_SCHEMA } from '../../model/names.ts';

export const BASELINE: DocumentKind<Baseline> = {
  id: BASELINE_SCHEMA,
  schema: baselineSchema,
  hint: 'Remove it, and write it anew: clone-prof baseline',
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

/** The same record, sorted by name: the order that parts were added in does not matter. */
const sorted = <T, Of>(record: Record<string, T>, of: (one: T) => Of): Record<string, Of> =>
  Object.fromEntries(
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, of(one)]),
  );

const factsOf = (facts: BaselineFacts) => ({ ...facts, heaviest: sorted(facts.heaviest, (bytes) => bytes) });

const payloadOf = ({ runtimes, sample }: BaselinePayload) => ({
  runtimes: sorted(runtimes, factsOf),
  ...(sample && { sample }),
});

/** Hash of each part, by its name, so that two branches that change different parts can be merged. */
function hashesOf({ payloads, demands }: Baseline): Record<string, string> {
  const { payloads: demanded = [], ...terms } = demands ?? {};
  const parts: Record<string, unknown> = {
    ...sorted(payloads, payloadOf),
    ...Object.fromEntries(demanded.map((one) => [`demands of ${one.name}`, one])),
    ...(demands && { 'demands of the config': terms }),
  };
  return sorted(parts, (part) => fnv1aHex(JSON.stringify(part)));
}

/** Names of the parts that were edited after they were written. */
export function editedIn(baseline: Baseline): string[] {
  const written = new Map(Object.entries(baseline.written ?? {}));
  const now = new Map(Object.entries(hashesOf(baseline)));
  return [...new Set([...written.keys(), ...now.keys()])].filter(
    (name) => written.get(name) !== now.get(name),
  );
}

/** Text of a baseline, a field in each line, for readable diffs and clean merges. */
export function baselineText(baseline: Baseline): string {
  const { schema, payloads, demands } = baseline;
  const written = demands && { demands, written: hashesOf(baseline) };
  return `${JSON.stringify({ schema, payloads: sorted(payloads, payloadOf), ...written }, null, 2)}\n`;
}
