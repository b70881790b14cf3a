/**
 * The only schema language: for documents, for the config, and for the messages of guests. It is the small build of zod
 * with shorter words and with descriptions as arguments. Types are inferred and JSON Schemas generated from it.
 *
 * The host alone validates, so that guests, recorders and pages (except the playground, whose page is the host too)
 * have the types without this file. Measured, bundled: the small build has 16 kB and loads in 4 ms, the whole one 88 kB
 * and 13 ms, or 20 more with the schemas of a report, as each schema has all methods.
 */
import * as z from 'zod/mini';
import { cutText } from './cut.ts';

export type Schema<T = unknown> = z.ZodMiniType<T>;
export type Issue = z.core.$ZodIssue;
export type Terms = z.core.ParseContextInternal<z.core.$ZodIssue>;
export type TypeOf<S extends Schema> = z.output<S>;
type Fields = z.core.$ZodLooseShape;

/** A description, or a name as well that JSON Schemas refer to. */
type About = string | { id?: string; title?: string; description?: string };

function about<S extends Schema>(schema: S, words: About | undefined): S {
  if (words !== undefined)
    z.globalRegistry.add(schema, typeof words === 'string' ? { description: words } : words);
  return schema;
}

/** Copy of the schema with a description for its place. */
export const described = <S extends Schema>(schema: S, words: About): S => about(schema.clone() as S, words);

export const unknown = (words?: About) => about(z.unknown(), words);
export const boolean = (words?: About) => about(z.boolean(), words);
/** A finite number. */
export const number = (words?: About) => about(z.number(), words);
/** A number that is at least 0. */
export const amount = (words?: About) => about(z.number().check(z.minimum(0)), words);
/** A number from 0 to 1. */
export const share = (words?: About) => about(z.number().check(z.minimum(0), z.maximum(1)), words);
export const integer = () => z.int();
/** A whole number that is at least 0. */
export const whole = (words?: About) => about(z.int().check(z.minimum(0)), words);
/** A whole number that is at least 1. */
export const ordinal = (words?: About) => about(z.int().check(z.minimum(1)), words);

/** A text that the program uses: a path, a name to look up. */
export const string = (words?: About) => about(z.string(), words);
/** A text for people: it is shortened in the validated copy. */
export const text = (words?: About) => about(z.string().check(z.overwrite((long) => cutText(long))), words);

export const literal = <const T extends string | number | true>(value: T, words?: About) =>
  about(z.literal(value), words);
export const oneOf = <const T extends readonly string[]>(names: T, words?: About) =>
  about(z.enum(names), words);
export const nothing = () => z.null();

export const nullable = <S extends Schema>(schema: S, words?: About) => about(z.nullable(schema), words);
/** A field that may be absent, but is never undefined. */
export const optional = <S extends Schema>(schema: S, words?: About) => about(z.exactOptional(schema), words);

export const list = <S extends Schema>(item: S, words?: About) => about(z.array(item), words);
export const tuple = <const S extends readonly [Schema, ...Schema[]]>(items: S, words?: About) =>
  about(z.tuple(items), words);
export const record = <S extends Schema>(item: S, words?: About) => about(z.record(z.string(), item), words);
/** Samples: hundreds of thousands of numbers, which are checked but not copied. */
export const numbers = () =>
  z.custom<number[]>((value) => {
    if (!Array.isArray(value)) return false;
    for (let i = 0; i < value.length; i++) if (!Number.isFinite(value[i])) return false;
    return true;
  }, 'a list of numbers expected');

/** An object with these fields, after a description if there is one; validation removes other fields. */
export const object = <F extends Fields>(words: string | F, fields?: F) =>
  about(z.object(fields ?? (words as F)), fields && (words as string));

/** An object with a name, for JSON Schemas and readers. */
export const named = <F extends Fields>(id: string, words: string | F, fields?: F) =>
  about(z.object(fields ?? (words as F)), { id, ...(fields && { description: words as string }) });

export const document = <F extends Fields>(title: string, description: string, fields: F) =>
  about(z.object(fields), { title, description });

export {
  discriminatedUnion,
  lazy,
  looseObject,
  maximum,
  maxLength,
  minimum,
  minLength,
  never,
  omit,
  parse,
  partialRecord,
  pick,
  pipe,
  refine,
  regex,
  safeParse,
  transform,
  union,
} from 'zod/mini';

/** ".payloads[0].runs" */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
