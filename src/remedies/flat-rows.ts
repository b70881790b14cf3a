import type { Plan, Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { indent, listed, member, Names, propertyName } from './code/javascript.ts';
import { guardsIn, objectLiteral, presentSource, RecordReader } from './code/records.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import { assumptionsOf } from './facts/assumptions.ts';
import { type Field, fieldsAt, flatKey, richLeaves } from './facts/fields.ts';
import { ShapeIndex } from './facts/shape-index.ts';
import { tablesOf } from './facts/tables.ts';

interface FlatRowsPlan extends Plan {
  fields: Field[];
}

/** Bun hands an array of flat objects over in memory, as the root only. */
function plans(shape: Shape): FlatRowsPlan[] {
  const index = ShapeIndex.of(shape);
  if (shape.representation.engine !== 'jsc') return [];
  return tablesOf(index).flatMap(({ path, row }) => {
    const fields = fieldsAt(index, row) ?? [];
    const isNested = fields.some((field) => field.fields !== undefined);
    return path === '$' && isNested && richLeaves(index, row, fields).length === 0 ? [{ path, fields }] : [];
  });
}

function source({ path, fields }: FlatRowsPlan): RemedyCode {
  const { lines, leaves } = new RecordReader(fields, 'row', new Names(['row', 'rows']), 4);
  const flat = leaves.map((leaf) => `${propertyName(flatKey(leaf.path))}: ${presentSource(leaf)}`);
  const body = [...lines, listed('list.push({ ', flat, ' });', 4)].join('\n');
  const flatten = `function flatRows(rows) {
  if (!Array.isArray(rows)) throw new TypeError('no list');
  const list = [];
  for (const row of rows) {
${indent(body, '    ')}
  }
  return list;
}`;
  const nested = objectLiteral(fields, (leaf) => `row${member(flatKey(leaf.path))}`);
  return {
    sender: `${guardsIn(flatten)}${flatten}\n${declareToMessage(callsOf('flatRows', [path]))}`,
    receiver: `function nestedRows(rows) {
  return rows.map((row) => (${indent(nested).trimStart()}));
}
${declareFromMessage(callsOf('nestedRows', [path]))}`,
  };
}

export const flatRows: Remedy = remedyFromCode<FlatRowsPlan>({
  name: 'flat-rows',
  title: 'send flat rows',
  plans,
  source,
  assumes: ({ path, fields }) => assumptionsOf(path, fields, false),
});
