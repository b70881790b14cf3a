import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { Spots } from './facts.ts';
import { member, propertyName } from './javascript.ts';
import { pasteable } from './pasteable.ts';
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

interface FlattenPlan extends Plan {
  fields: Field[];
}

function withTexts(fields: readonly Field[], texts: ReadonlySet<string>, above: string[] = []): Field[] {
  return fields.map((field) => {
    const path = [...above, field.key];
    if (field.fields !== undefined) return { key: field.key, fields: withTexts(field.fields, texts, path) };
    return texts.has(flatKey(path)) ? { key: field.key, text: true } : field;
  });
}

/** On Bun everything has to be flat, so lists become texts; elsewhere fewer objects are gain enough. */
function wanted(shape: Shape): Plan[] {
  const spots = new Spots(shape);
  const root = spots.root;
  const fields = root === null ? null : fieldsAt(spots, root);
  if (root === null || fields === null || !fields.some((field) => field.fields !== undefined)) return [];
  if (shape.representation.engine !== 'jsc') return [{ path: '$', fields: withTexts(fields, new Set()) }];
  const rich = richLeaves(spots, root, fields).map((leaf) => flatKey(leaf.path));
  return rich.length === 0 || shape.jsonSafe ? [{ path: '$', fields: withTexts(fields, new Set(rich)) }] : [];
}

function source(fields: Field[]) {
  const { lines, leaves } = reading(fields);
  const all = leavesOf(fields);
  const keys = all.map((leaf) => flatKey(leaf.path));
  const values = all.map((leaf, n) => (leaf.text ? `JSON.stringify(${leaves[n]})` : leaves[n]!));
  const back = building(fields, (n, leaf) => {
    const value = `message${member(keys[n]!)}`;
    return leaf.text ? `JSON.parse(${value})` : value;
  });
  return {
    sender: `${declarations(fields)}function toMessage(payload) {
  const row = payload;
  ${lines.join('\n  ')}
  return { ${keys.map((key, n) => `${propertyName(key)}: ${values[n]}`).join(', ')} };
}`,
    receiver: `function fromMessage(message) {
  return ${back};
}`,
  };
}

export const flatten: Remedy = pasteable({
  name: 'flatten',
  title: 'send one flat object',
  loses: [],
  wanted,
  source: (plan) => source((plan as FlattenPlan).fields),
});
