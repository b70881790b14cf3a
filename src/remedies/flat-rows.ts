import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { indent, listed, member, Names, propertyName } from './code/javascript.ts';
import { guardsIn, objectLiteral, RecordReader } from './code/records.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { type Field, fieldsAt, flatKey, richLeaves } from './facts/fields.ts';
import { ShapeIndex } from './facts/shape-index.ts';
import { tablesOf } from './facts/tables.ts';

interface FlatRowsPlan extends Plan {
  fields: Field[];
}

/** Bun takes an array of flat objects in memory, as the root only. */
function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  if (shape.representation.engine !== 'jsc') return [];
  return tablesOf(spots).flatMap(({ path, row }) => {
    const fields = fieldsAt(spots, row) ?? [];
    const isNested = fields.some((field) => field.fields !== undefined);
    return path === '$' && isNested && richLeaves(spots, row, fields).length === 0 ? [{ path, fields }] : [];
  });
}

function source({ path, fields }: FlatRowsPlan): RemedyCode {
  const { lines, leaves } = new RecordReader(fields, 'row', new Names());
  const flat = leaves.map((leaf) => `${propertyName(flatKey(leaf.path))}: ${leaf.source}`);
  const body = [...lines, listed('list.push({ ', flat, ' });')].join('\n');
  const flatten = `function flatRows(rows) {
  if (!Array.isArray(rows)) throw new TypeError('no list of records there');
  const list = [];
  for (const row of rows) {
${indent(body, '    ')}
  }
  return list;
}`;
  const back = objectLiteral(fields, (leaf) => `row${member(flatKey(leaf.path))}`);
  return {
    sender: `${guardsIn(flatten)}${flatten}\n${declareToMessage([{ path, rewrite: (value) => `flatRows(${value})` }])}`,
    receiver: `function nestedRows(rows) {
  return rows.map((row) => (${indent(back).trimStart()}));
}
${declareFromMessage([{ path, rewrite: (value) => `nestedRows(${value})` }])}`,
  };
}

export const flatRows: Remedy = remedyFromCode({
  name: 'flat-rows',
  title: 'send flat rows',
  loses: [],
  wanted,
  source: (plan) => source(plan as FlatRowsPlan),
});
