/**
 * Runs in Bun: describes each value of the tables and asks Bun's oracle which path a fresh one takes.
 * usage: bun-table <file for the answer>
 */
import { writeFileSync } from 'node:fs';
import { describe } from '../../../src/core/describe/describe.ts';
import type { Shape } from '../../../src/model/documents/shape.ts';
import type { Confirmation } from '../../../src/model/wire/wire.ts';
import { bunJsc } from '../../../src/probe/bun/jsc.ts';
import { bunOracle } from '../../../src/probe/bun/oracle.ts';
import { probeFor } from '../../support/probe.ts';
import { VALUES } from './bun-values.ts';

export type Answer = Record<string, { shape: Shape; confirmation: Confirmation }>;

const jsc = (await bunJsc())!;
const answer: Answer = {};
for (const { name, make } of VALUES) {
  const shape = describe(make(), await probeFor());
  const { confirmation } = await bunOracle(jsc, async () => make(), shape);
  answer[name] = { shape, confirmation };
}
writeFileSync(process.argv[2] ?? '', JSON.stringify(answer));
