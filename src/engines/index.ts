import { database } from '../channels/indexeddb/rules/standard.ts';
import type { EngineName } from '../model/names.ts';
import type { Engine, RuleBook } from '../model/rules/rule.ts';
import { jsc } from './jsc/index.ts';
import { spidermonkey } from './spidermonkey/index.ts';
import { json } from './standard/json.ts';
import { errors, lossy } from './standard/lossy.ts';
import { platform } from './standard/platform.ts';
import { listed, rejected } from './standard/rejected.ts';
import { copied, memory, slow } from './standard/slow.ts';
import { v8 } from './v8/index.ts';
import { webkit } from './webkit/index.ts';

export { PLATFORM_POSTS } from './standard/platform-posts.ts';

/** A new rule is a row in the file of its topic, and a specimen: `fixtures/payloads/<id with - for />.js`. */
export const ENGINES: Record<EngineName, Engine> = { v8, jsc, spidermonkey, webkit };

/** Rules of the HTML standard for every engine. `spec` is in their ids, which reports and baselines store. */
export const STANDARD: RuleBook = {
  name: 'spec',
  rules: [
    ...rejected,
    ...listed,
    ...slow,
    ...copied,
    ...platform,
    ...lossy,
    ...memory,
    ...errors,
    ...json,
    ...database,
  ],
};
