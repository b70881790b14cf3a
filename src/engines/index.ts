import type { EngineName } from '../model/names.ts';
import type { Engine } from '../model/rules/rule.ts';
import { jsc } from './jsc/index.ts';
import { spidermonkey } from './spidermonkey/index.ts';
import { v8 } from './v8/index.ts';
import { webkit } from './webkit/index.ts';

export { PLATFORM_POSTS } from './standard/platform-posts.ts';
export { standard as STANDARD } from './standard.ts';

/**
 * The rules of all engines, as data. A new rule is a row in the file of its topic and a specimen,
 * `fixtures/payloads/<id with - for />.js`.
 */
export const ENGINES: Record<EngineName, Engine> = { v8, jsc, spidermonkey, webkit };
