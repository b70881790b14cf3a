/** The baseline on disk: in a fixed order, one fact a line, so that a diff in review reads well and merges. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { BASELINE_SCHEMA, type Baseline, type BaselineFacts, type BaselinePayload } from '../model/check.ts';
import { ToolError } from '../model/errors.ts';
import { COST_CLASSES } from '../model/names.ts';
import { pathNameSchema } from './report-schema/words.ts';

const placesSchema = z.array(z.object({ rule: z.string(), path: z.string() }));

const factsSchema = z.object({
  path: pathNameSchema,
  class: z.enum(COST_CLASSES),
  blockers: placesSchema,
  bytes: z.number().nullable(),
  nodes: z.number(),
  depth: z.number(),
  losses: placesSchema,
  heaviest: z.record(z.string(), z.number()),
});

const baselineSchema = z.object({
  schema: z.literal(BASELINE_SCHEMA),
  payloads: z.record(
    z.string(),
    z.object({
      runtimes: z.record(z.string(), factsSchema),
      sample: z.object({ json: z.unknown(), notFor: z.exactOptional(z.array(z.string())) }).nullable(),
    }),
  ),
});

/** @throws ToolError 'config-bad' with the place of what is wrong */
export function parseBaseline(text: string, file: string): Baseline {
  const bad = (detail: string) =>
    new ToolError('config-bad', { file, detail: `${detail}. Write it anew: clone-prof baseline` });
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw bad(`not valid JSON (${(error as Error).message})`);
  }
  const result = baselineSchema.safeParse(data);
  // The data itself, not zod's copy: that one loses a payload called __proto__.
  if (result.success) return data as Baseline;
  const [issue] = result.error.issues;
  throw bad(`no baseline that this version reads: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** null when there is no such file. */
export async function readBaseline(path: string, shown: string): Promise<Baseline | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ToolError('file-unreadable', { file: shown, detail: message });
  }
  return parseBaseline(text, shown);
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = <T>(record: Record<string, T>) => Object.entries(record).sort(([a], [b]) => order(a, b));
const quoted = (text: string) => JSON.stringify(text);

/** `{` and `}` around lines, which are indented and parted by commas. */
function block([open, close]: readonly [string, string], lines: readonly string[]): string {
  if (lines.length === 0) return open + close;
  const inner = lines
    .join(',\n')
    .split('\n')
    .map((line) => `  ${line}`);
  return [open, ...inner, close].join('\n');
}

const BRACES = ['{', '}'] as const;

/** What is small enough for one line stays on one: a blocker that comes or goes is one line of a diff. */
const inLine = (value: unknown) => JSON.stringify(value);

const placesText = (places: BaselineFacts['blockers']) => block(['[', ']'], places.map(inLine));

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

/** The sample on one line: nobody reads it, and an array over many lines would drown the facts. */
function payloadText({ runtimes, sample }: BaselinePayload): string {
  return block(BRACES, [
    `"runtimes": ${block(
      BRACES,
      sorted(runtimes).map(([key, facts]) => `${quoted(key)}: ${factsText(facts)}`),
    )}`,
    `"sample": ${inLine(sample)}`,
  ]);
}

/** The same baseline gives the same text, whatever order its parts came in. */
export function baselineText({ schema, payloads }: Baseline): string {
  const lines = sorted(payloads).map(([id, payload]) => `${quoted(id)}: ${payloadText(payload)}`);
  return `${block(BRACES, [`"schema": ${quoted(schema)}`, `"payloads": ${block(BRACES, lines)}`])}\n`;
}
