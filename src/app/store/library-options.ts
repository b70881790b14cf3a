/** Options of the functions of the library. An unknown one, or one of another type, is refused, not passed over. */
import * as z from 'zod/mini';
import { knownObject, optional, readAsSchema, senderSchema, text } from '../../model/documents/config.ts';
import { usage } from '../../model/errors.ts';
import { CHANNELS, LIBRARIES } from '../../model/names.ts';
import { issueTexts } from './config.ts';

const FLAG = optional(z.boolean());
const AMOUNT = optional(z.number());
const TEXT = optional(text());
const TEXTS = optional(z.array(text()));
const LIBRARY = z.enum(LIBRARIES);
const ANY = optional(z.unknown());

const RUN = {
  ...{ timeoutMs: AMOUNT, offline: FLAG, projectNpmrc: FLAG, cwd: TEXT, signal: ANY, onEvent: ANY },
  ...{ runtimes: TEXTS, budgetMs: AMOUNT, totalMs: AMOUNT, seed: AMOUNT },
};
const MEASURED = { channels: optional(z.array(z.enum(CHANNELS))), as: optional(readAsSchema) };
const ANALYZE = {
  ...{
    exports: TEXTS,
    via: optional(z.array(LIBRARY)),
    try: TEXTS,
    top: AMOUNT,
    site: TEXT,
    transfer: TEXTS,
  },
  ...{ sender: optional(senderSchema), measure: FLAG, byPath: FLAG, one: FLAG },
};
const SWEEP = { export: TEXT, via: optional(LIBRARY), by: TEXT, scale: ANY, steps: AMOUNT };
const CHECK = { config: TEXT, base: TEXT, baseline: TEXT, keys: FLAG, allowRemoved: FLAG, shard: ANY };

const OPTIONS = {
  analyze: knownObject({ ...RUN, ...MEASURED, ...ANALYZE }),
  sweep: knownObject({ ...RUN, ...MEASURED, ...SWEEP }),
  check: knownObject({ ...RUN, ...CHECK }),
};

/** @throws ToolError 'usage' */
export function checkOptions(of: keyof typeof OPTIONS, options: unknown): void {
  const { error } = z.safeParse(OPTIONS[of], options, { reportInput: true });
  if (error) throw usage(`${of}: ${issueTexts(error.issues)}`);
}
