import type { Plan, Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { indent, listed, member, Names, propertyName } from './code/javascript.ts';
import { guardsIn, objectLiteral, presentSource, RecordReader } from './code/records.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { recordAssumptions } from './facts/assumptions.ts';
import { type Field, fieldsAt, flatKey, richLeaves } from './facts/fields.ts';
import { ShapeIndex } from './facts/shape-index.ts';

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

/** On Bun everything has to be flat, so arrays become JSON text; elsewhere an array costs more than the objects around it. */
function plans(shape: Shape): FlattenPlan[] {
  const index = ShapeIndex.of(shape);
  const { root } = index;
  const fields = root === null ? null : fieldsAt(index, root);
  if (root === null || fields === null || !fields.some((field) => field.fields !== undefined)) return [];
  const rich = richLeaves(index, root, fields).map((leaf) => flatKey(leaf.path));
  const canBeText = shape.representation.engine === 'jsc' && shape.jsonSafe;
  return rich.length === 0 || canBeText ? [{ path: '$', fields: withTexts(fields, new Set(rich)) }] : [];
}

function source({ fields }: FlattenPlan): RemedyCode {
  const { lines, leaves } = new RecordReader(fields, 'payload', new Names(), 4);
  const flat = leaves.map((leaf) => {
    const value = leaf.text ? `jsonText(${leaf.source})` : presentSource(leaf);
    return `${propertyName(flatKey(leaf.path))}: ${value}`;
  });
  const send = `function toMessage(payload) {
${indent([...lines, listed('return { ', flat, ' };', 4)].join('\n'))}
}`;
  const nested = objectLiteral(fields, ({ path, text }) => {
    const value = `message${member(flatKey(path))}`;
    return text ? `JSON.parse(${value})` : value;
  });
  const isClosed = !leaves.some(({ path }) => flatKey(path) === 'asIs');
  return {
    ...(isClosed ? { message: 'closed', messageType: 'Record<string, any>' } : {}),
    sender: `${guardsIn(send)}${send}`,
    receiver: `function fromMessage(message) {
  return ${indent(nested).trimStart()};
}`,
  };
}

export const flatten: Remedy = remedyFromCode<FlattenPlan>({
  name: 'flatten',
  title: 'send one flat object',
  plans,
  source,
  assumes: ({ path, fields }) => recordAssumptions(path, fields, false),
});
