/** Options of the functions of the library. An unknown one, or one of another type, is refused, not passed over. */
import * as z from 'zod/mini';
import {
  channelSchema,
  expecting,
  knownObject,
  list,
  optional,
  senderSchema,
  text,
} from '../../model/documents/config.ts';
import { usage } from '../../model/errors.ts';
import { LIBRARIES } from '../../model/names.ts';
import { issueTexts } from './config.ts';

const FLAG = optional(z.boolean(expecting('true or false')));
const AMOUNT = optional(z.number(expecting('a number')));
const TEXT = optional(text('a text'));
const TEXTS = optional(list(text('a text'), 'a list of texts, for example ["a"]'));
const LIBRARY = z.enum(LIBRARIES, expecting(`one of ${LIBRARIES.join(', ')}`));
const ANY = optional(z.unknown());

const RUN = {
  ...{ timeoutMs: AMOUNT, offline: FLAG, projectNpmrc: FLAG, cwd: TEXT, signal: ANY, onEvent: ANY },
  ...{ runtimes: TEXTS, budgetMs: AMOUNT, totalMs: AMOUNT, seed: AMOUNT },
};
const MEASURED = {
  channels: optional(list(channelSchema, 'a list of channels, for example ["worker"]')),
  as: optional(z.enum(['text', 'bytes', 'json'], expecting('"text", "bytes" or "json"'))),
};
const ANALYZE = {
  ...{ exports: TEXTS, via: optional(list(LIBRARY, 'a list of libraries')), try: TEXTS, top: AMOUNT },
  ...{ site: TEXT, transfer: TEXTS, sender: optional(senderSchema), measure: FLAG, byPath: FLAG, one: FLAG },
};
const SWEEP = { export: TEXT, via: optional(LIBRARY), by: TEXT, scale: ANY, steps: AMOUNT };
const CHECK = { config: TEXT, base: TEXT, baseline: TEXT, keys: FLAG, allowRemoved: FLAG, shard: ANY };

const OPTIONS = {
  analyze: knownObject({ ...RUN, ...MEASURED, ...ANALYZE }, 'an object of options'),
  sweep: knownObject({ ...RUN, ...MEASURED, ...SWEEP }, 'an object of options'),
  check: knownObject({ ...RUN, ...CHECK }, 'an object of options'),
};

/** @throws ToolError 'usage' */
export function checkOptions(of: keyof typeof OPTIONS, options: unknown): void {
  const { error } = z.safeParse(OPTIONS[of], options, { reportInput: true });
  if (error) throw usage(`${of}: ${issueTexts(error.issues).join('; ')}`);
}
