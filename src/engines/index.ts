import type { Channel, EngineName } from '../model/names.ts';
import type { PlatformTable } from '../model/rules/platform-posts.ts';
import type { Engine } from '../model/rules/rule.ts';
import { jsc } from './jsc/index.ts';
import { spidermonkey } from './spidermonkey/index.ts';
import { DATABASE_POSTS } from './standard/database-posts.ts';
import { STORED_POSTS } from './standard/stored-posts.ts';
import { BRIDGE_POSTS } from './v8/hosts/bridge-posts.ts';
import { v8 } from './v8/index.ts';
import { webkit } from './webkit/index.ts';

export { standard as STANDARD } from './standard/index.ts';
export { PLATFORM_POSTS } from './standard/platform-posts.ts';

/**
 * The rules of all engines, as data. A new rule is a row in the file of its topic and a specimen,
 * `fixtures/payloads/<id with - for />.js`.
 */
export const ENGINES: Record<EngineName, Engine> = { v8, jsc, spidermonkey, webkit };

/** Platform tables of the channels that do not follow `PLATFORM_POSTS`. */
export const POSTS_OVER: Readonly<Partial<Record<Channel, PlatformTable>>> = {
  storage: STORED_POSTS,
  indexeddb: DATABASE_POSTS,
  'electron-bridge': BRIDGE_POSTS,
};
