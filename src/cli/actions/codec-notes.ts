import { placesOf } from '../../core/payload-schema/places.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import { counted } from '../../reporters/text/numbers.ts';

const MAX_PLACES_SHOWN = 3;

const NO_VIEW =
  'no viewMessage: there is no list of records that hold texts, numbers, booleans and dates alone, all with the same keys';

/** What the codec is, assumes and gives up: a line each. */
export function codecNotes(
  schema: PayloadSchema,
  module: string,
  files: readonly string[],
  withView = false,
): string[] {
  const lines = module.trimEnd().split('\n').length;
  const [first = ''] = files;
  const from = files.length === 1 ? first : `${counted(files.length, 'file')}, as one schema`;
  const integers = placesOf(schema, ({ number, numbers }) => number === 'int32' || numbers?.int32 === true);
  const cloned = placesOf(schema, ({ rest, bytes }) => rest === true || bytes !== undefined);
  const keys =
    schema.records.length === 0 ? [] : [`${counted(schema.records.length, 'record')} with these keys`];
  const whole = integers.length === 0 ? [] : [`32-bit integers at ${shown(integers)}`];
  const assumed = [...keys, ...whole].join('; ');
  return [
    `${counted(lines, 'line')}, from ${from}`,
    ...(assumed === '' ? [] : [`assumes ${assumed}. What does not fit is cloned in its place`]),
    ...(cloned.length === 0 ? [] : [`cloned as it is: ${shown(cloned)}`]),
    ...(withView && !module.includes('viewMessage') ? [NO_VIEW] : []),
    'gives up: an object at two places arrives as two; properties beside the elements of an array are not sent',
    ...(placesOf(schema, ({ text }) => text !== undefined).length === 0
      ? []
      : ['on V8 a text of 13 or more characters keeps the text of its whole message in memory']),
    `not measured: clone-prof analyze ${first} tells whether it pays`,
  ];
}

function shown(places: readonly string[]): string {
  const more = places.length - MAX_PLACES_SHOWN;
  return `${places.slice(0, MAX_PLACES_SHOWN).join(', ')}${more > 0 ? ` and ${counted(more, 'more place')}` : ''}`;
}
