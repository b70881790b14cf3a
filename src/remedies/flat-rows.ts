import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { Spots } from './facts.ts';
import { member, propertyName } from './javascript.ts';
import { pasteable } from './pasteable.ts';
import { receivingAt, sendingAt } from './places.ts';
import {
  building,
  declarations,
  type Field,
  fieldsAt,
  flatKey,
  leavesOf,
  reading,
  richLeaves,
} from './records.ts';
import { listsOfRecords } from './tables.ts';

interface FlatRowsPlan extends Plan {
  fields: Field[];
}

/** Bun takes an array of flat objects in memory, as the root only. */
function wanted(shape: Shape): Plan[] {
  const spots = new Spots(shape);
  if (shape.representation.engine !== 'jsc') return [];
  return listsOfRecords(spots).flatMap(({ path, row }) => {
    const fields = fieldsAt(spots, row) ?? [];
    const isNested = fields.some((field) => field.fields !== undefined);
    return path === '$' && isNested && richLeaves(spots, row, fields).length === 0 ? [{ path, fields }] : [];
  });
}

function source({ path, fields }: FlatRowsPlan) {
  const { lines, leaves } = reading(fields);
  const keys = leavesOf(fields).map((leaf) => flatKey(leaf.path));
  const flat = keys.map((key, n) => `${propertyName(key)}: ${leaves[n]}`).join(', ');
  return {
    sender: `${declarations(fields)}function flatRows(rows) {
  const list = [];
  for (const row of rows) {
    ${lines.join('\n    ')}
    list.push({ ${flat} });
  }
  return list;
}
${sendingAt([{ path, change: (value) => `flatRows(${value})` }])}`,
    receiver: `function nestedRows(rows) {
  return rows.map((row) => (${building(fields, (n) => `row${member(keys[n]!)}`)}));
}
${receivingAt([{ path, change: (value) => `nestedRows(${value})` }])}`,
  };
}

export const flatRows: Remedy = pasteable({
  name: 'flat-rows',
  title: 'send flat rows',
  loses: [],
  wanted,
  source: (plan) => source(plan as FlatRowsPlan),
});
