/** Codecs of samples, without measuring. */

import { kindWords } from '../core/payload-schema/kind-words.ts';
import { MAX_TYPES } from '../core/payload-schema/schema-writer.ts';
import type { CodecSchema, PayloadSchema, ValueType } from '../model/documents/payload-schema.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { Codec } from '../model/rules/remedy.ts';
import type { SchemaMade } from '../model/wire/wire.ts';
import { compiled } from '../remedies/compiled/compiled.ts';
import type { Exported } from '../remedies/module/exported-type.ts';
import { codecModule, type ModuleLanguage, moduleDeclarations } from '../remedies/module/module.ts';
import { schemaJsonIn } from '../remedies/module/schema-line.ts';
import type { GuestSlot } from './guest-slot.ts';

/** Why there is no codec, and what to do instead. */
export interface NoCodec {
  why: string;
  instead: string;
}

/** @throws ToolError of building a sample */
export function schemaOfSamples(
  samples: readonly Recipe[],
  slot: GuestSlot,
  deadlineMs: number,
): Promise<SchemaMade> {
  const file = samples[0]?.source.file ?? '';
  return slot.ask({ type: 'schema', recipes: [...samples] }, { file, deadlineMs });
}

const JSON_TEXT = 'Post it as one JSON text (json-text), or as it is';
const AS_IT_IS = 'Post it as it is';

/** Why no codec can be made of it; null where one can. */
export function whyNone({ schema, uncloned }: SchemaMade, samples: readonly Recipe[]): NoCodec | null {
  if (uncloned !== undefined) {
    const { id } = samples[uncloned.recipe] ?? { id: 'a sample' };
    const instead = 'Leave out what cannot be cloned, or post it as JSON text (json-text)';
    return { why: `${id} cannot be cloned: ${uncloned.reason.replace(/\.$/, '')}`, instead };
  }
  if (schema === null)
    return { why: `it has too many kinds of records: more than ${MAX_TYPES} types`, instead: JSON_TEXT };
  const root = schema.types[0]!;
  return isEncodable(root) ? null : { why: `the payload is ${kindWords(root)}`, instead: AS_IT_IS };
}

/** It holds something that is not cloned as it is. */
function isEncodable({ rest, bytes, list, numbers, record, dictionary, map, set }: ValueType): boolean {
  const isCloned = rest === true || bytes !== undefined;
  return !isCloned && [list, numbers, record, dictionary, map, set].some((one) => one !== undefined);
}

const FORM = 'joined';

export const codecOf = (
  schema: PayloadSchema,
  { form = FORM, ...terms }: Pick<CodecSchema, 'name'> & Partial<Omit<CodecSchema, 'schema'>>,
): Codec => compiled.codec!({ path: '$', form, ...terms, schema });

/** JSON of the schema that a module was compiled from; null where it was not. */
export const schemaJson = schemaJsonIn;

interface SourceFacts {
  version: string;
  /** Files of the samples. */
  files: readonly string[];
  name: string;
  exported: Exported | null;
}

const MAX_FILES_SHOWN = 3;

/** The module, as one text. */
export function schemaModule(
  codec: Codec,
  { version, files, name, exported }: SourceFacts,
  language: ModuleLanguage,
): string {
  const more = files.length - MAX_FILES_SHOWN;
  const source = [...files.slice(0, MAX_FILES_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const facts = { version, source, id: name, gain: null, where: null, costs: [], exported };
  return codecModule(codec, null, facts, language);
}

/** Types and functions of the module, for a declaration of it. */
export const schemaDeclarations = (codec: Codec): string => moduleDeclarations(codec);
