/** Codecs that are made of samples, without measuring. */
import { kindWords } from '../core/payload-schema/places.ts';
import { MAX_TYPES } from '../core/payload-schema/schema-writer.ts';
import type { CodecSchema, PayloadSchema, ValueType } from '../model/documents/payload-schema.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { Codec } from '../model/rules/remedy.ts';
import type { SchemaMade } from '../model/wire/wire.ts';
import type { ModuleLanguage } from '../remedies/code/dialect.ts';
import { compiled } from '../remedies/compiled/compiled.ts';
import { codecModule, type Exported } from '../remedies/module/module.ts';
import { patch } from '../remedies/patch/patch.ts';

export {
  type Exported,
  helpersModule,
  MARKER,
  moduleDeclarations as schemaDeclarations,
  schemaJsonIn as schemaJson,
  withoutSchema,
} from '../remedies/module/module.ts';

/** Reason why no codec can be made of the samples, and the alternative; null if a codec can be made. */
export function whyNone(
  { schema, uncloned }: SchemaMade,
  samples: readonly Recipe[],
): { why: string; instead: string } | null {
  if (uncloned !== undefined) {
    const { id } = samples[uncloned.recipe] ?? { id: 'a sample' };
    const instead = 'Leave out what cannot be cloned, or post it as JSON text (json-text)';
    return { why: `${id} cannot be cloned: ${uncloned.reason.replace(/\.$/, '')}`, instead };
  }
  if (schema === null) {
    const why = `it has too many kinds of records: more than ${MAX_TYPES} types`;
    return { why, instead: 'Post it as one JSON text (json-text), or as it is' };
  }
  const root = schema.types[0]!;
  if (isEncodable(root)) return null;
  return { why: `the payload is ${kindWords(root)}`, instead: 'Post it as it is' };
}

/** True if the value has a part that a codec encodes. Cloned values and bytes are passed on unchanged. */
function isEncodable({ rest, bytes, list, numbers, record, dictionary, map, set }: ValueType): boolean {
  const isCloned = rest === true || bytes !== undefined;
  return !isCloned && [list, numbers, record, dictionary, map, set].some((one) => one !== undefined);
}

export const codecOf = (
  schema: PayloadSchema,
  { form = 'joined', ...terms }: Pick<CodecSchema, 'name'> & Partial<Omit<CodecSchema, 'schema'>>,
): Codec => compiled.codec!({ path: '$', form, ...terms, schema });

/** Codec of the changes since the previous message. Its types depend on the payload, its code does not. */
export const patchCodecOf = (schema: PayloadSchema, name: string): Codec => {
  const { types = [] } = codecOf(schema, { name });
  return { ...patch.codec!({ path: '$' }), types };
};

export const PATCH_COSTS = patch.costs ?? [];

const MAX_FILES_SHOWN = 3;

/** Source text of the codec's module. @param facts `files`: names of the sample files */
export function schemaModule(
  codec: Codec,
  {
    files,
    name,
    costs = [],
    ...facts
  }: {
    version: string;
    files: readonly string[];
    name: string;
    exported: Exported | null;
    again: string | null;
    helpers?: string | null;
    costs?: readonly string[];
  },
  language: ModuleLanguage,
): string {
  const more = files.length - MAX_FILES_SHOWN;
  const source = [...files.slice(0, MAX_FILES_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return codecModule(codec, null, { ...facts, source, id: name, gain: null, where: null, costs }, language);
}
