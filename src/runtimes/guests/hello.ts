import { type Check, exact, literal, object, oneOf, optional, text } from '../../core/schema.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import { BRANDS, ENGINE_NAMES, RUNTIME_NAMES } from '../../model/names.ts';
import type { Hello } from '../../model/wire/wire.ts';

/** The hello of a guest, which it sends before user code loads. @throws Mismatch */
export const helloOf: Check<Hello> = object<Hello>({
  type: literal('hello'),
  token: exact,
  runtime: object<RuntimeId>({
    name: oneOf(RUNTIME_NAMES),
    brand: optional(oneOf(BRANDS)),
    version: text,
    engine: oneOf(ENGINE_NAMES),
  }),
});
