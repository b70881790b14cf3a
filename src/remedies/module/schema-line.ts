/** The last line of a compiled codec: what it was made of, for the gate to compare with. */
import type { CodecSchema, ValueType } from '../../model/documents/payload-schema.ts';

const MARK = '// schema: ';

/** Names and kinds only: how many texts there were, and how long, is no fact of the structure. */
function structureOf({ text, ...type }: ValueType): object {
  return text === undefined ? type : { ...type, text: text.repeats ? { repeats: true } : {} };
}

/** One line of ASCII, whatever a key is called. */
export function schemaLine({ name, form, view, schema: { types, records } }: CodecSchema): string {
  const json = JSON.stringify({ name, form, ...(view && { view }), types: types.map(structureOf), records });
  const ascii = json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return MARK + ascii;
}

/** The JSON text in a module; null where there is no such line. */
export function schemaJsonIn(module: string): string | null {
  const line = module.split(/\r?\n/).findLast((one) => one.startsWith(MARK));
  return line === undefined ? null : line.slice(MARK.length);
}
