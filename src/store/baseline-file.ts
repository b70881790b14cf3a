/** The baseline on disk: in a fixed order, one fact a line, for readable diffs and clean merges. */

import type { Waiting } from '../machine/given-file.ts';
import { BASELINE_SCHEMA } from '../model/document-ids.ts';
import {
  type Baseline,
  type BaselineFacts,
  type BaselinePayload,
  baselineSchema,
  type Demands,
} from '../model/documents/baseline.ts';
import { ToolError } from '../model/errors.ts';
import { type DocumentKind, readDocument } from './document.ts';

export const BASELINE: DocumentKind<Baseline> = {
  id: BASELINE_SCHEMA,
  schema: baselineSchema,
  hint: 'Write it anew: clone-prof baseline',
};

/** null when there is no such file. @throws ToolError 'file-unreadable', 'document-bad' */
export async function readBaseline(path: string, file: string, waiting: Waiting): Promise<Baseline | null> {
  try {
    return withChannelsOfNow(await readDocument(path, file, BASELINE, waiting));
  } catch (error) {
    if (error instanceof ToolError && error.code === 'file-missing') return null;
    throw error;
  }
}

/** Earlier versions had one channel between processes, and called it 'ipc'. */
function withChannelsOfNow(baseline: Baseline): Baseline {
  const payloads = Object.entries(baseline.payloads).map(([id, payload]) => {
    const runtimes = Object.entries(payload.runtimes).map(([key, facts]) => [
      key.replace(/ ipc$/, ' ipc-advanced'),
      facts,
    ]);
    return [id, { ...payload, runtimes: Object.fromEntries(runtimes) }];
  });
  return { ...baseline, payloads: Object.fromEntries(payloads) };
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = <T>(record: Record<string, T>) => Object.entries(record).sort(([a], [b]) => order(a, b));
const quoted = (value: unknown) => JSON.stringify(value);

/** Brackets around indented lines, separated by commas. */
function block([open, close]: readonly [string, string], lines: readonly string[]): string {
  if (lines.length === 0) return open + close;
  const inner = lines
    .join(',\n')
    .split('\n')
    .map((line) => `  ${line}`);
  return [open, ...inner, close].join('\n');
}

const BRACES = ['{', '}'] as const;

/** Each on one line: a blocker that is added or removed is one line of a diff. */
const placesText = (places: BaselineFacts['blockers']) => block(['[', ']'], places.map(quoted));

function factsText({ blockers, losses, heaviest, ...facts }: BaselineFacts): string {
  return block(BRACES, [
    `"path": ${quoted(facts.path)}`,
    `"class": ${quoted(facts.class)}`,
    `"blockers": ${placesText(blockers)}`,
    `"bytes": ${facts.bytes}`,
    `"nodes": ${facts.nodes}`,
    `"depth": ${facts.depth}`,
    `"losses": ${placesText(losses)}`,
    `"heaviest": ${block(
      BRACES,
      sorted(heaviest).map(([path, bytes]) => `${quoted(path)}: ${bytes}`),
    )}`,
  ]);
}

/** The sample on one line: over many it would hide the facts. */
function payloadText({ runtimes, sample }: BaselinePayload): string {
  return block(BRACES, [
    `"runtimes": ${block(
      BRACES,
      sorted(runtimes).map(([key, facts]) => `${quoted(key)}: ${factsText(facts)}`),
    )}`,
    ...(sample ? [`"sample": ${quoted(sample)}`] : []),
  ]);
}

const demandsText = ({ payloads, ...terms }: Demands): string =>
  block(BRACES, [
    ...Object.entries(terms).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
    `"payloads": ${block(
      ['[', ']'],
      payloads.map((one) => JSON.stringify(one)),
    )}`,
  ]);

/** The text does not depend on the order in which the parts were added. */
export function baselineText({ schema, payloads, demands }: Baseline): string {
  const lines = sorted(payloads).map(([id, payload]) => `${quoted(id)}: ${payloadText(payload)}`);
  const parts = [`"schema": ${quoted(schema)}`, `"payloads": ${block(BRACES, lines)}`];
  return `${block(BRACES, demands ? [...parts, `"demands": ${demandsText(demands)}`] : parts)}\n`;
}
