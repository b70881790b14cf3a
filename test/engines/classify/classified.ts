/** Hand-written shapes, classified, and the tables of their cases. */
import { readFileSync } from 'node:fs';
import { classify } from '../../../src/engines/classify/classify.ts';
import type { PostContext } from '../../../src/engines/classify/match.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Channel, RuntimeName } from '../../../src/model/names.ts';
import type { Classification } from '../../../src/model/rules/rule.ts';
import { runtime, shapeOf } from '../../make.ts';

const SECTIONS = readFileSync(new URL('../tables.md', import.meta.url), 'utf8').split(/^## /m);

const cellsOf = (line: string): string[] =>
  line
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));

/** @returns the cells of each row of the table in this section @throws Error if there are none */
export function tableOf(title: string): string[][] {
  const section = SECTIONS.find((one) => one.startsWith(`${title}\n`));
  const [, , ...rows] = section?.match(/^\| .* \|$/gm) ?? [];
  if (rows.length === 0) throw new Error(`tables.md has no rows of '${title}'`);
  return rows.map(cellsOf);
}

/** `bun@1.4.5`, `firefox@153 message-port`, `bun@1.4.5 worker transferring`. */
export function contextOf(where: string): PostContext {
  const [spec, channel = 'worker', transferring] = where.split(' ');
  const context = { runtime: runtime(spec as `${RuntimeName}@${string}`), channel: channel as Channel };
  return { ...context, transferring: transferring !== undefined };
}

export function classified(where: string, shape: Shape): Classification {
  const context = contextOf(where);
  return classify(shape, ENGINES[context.runtime.engine], context);
}

export const run = (where: string, rows: Facts[]): Classification =>
  classified(where, shapeOf(contextOf(where).runtime.engine, ...rows));
