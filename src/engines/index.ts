import { database } from '../channels/indexeddb/rules/standard.ts';
import type { EngineName, RuleBookName } from '../model/names.ts';
import type { Engine, Rule } from '../model/rules/rule.ts';
import { spidermonkey, webkit } from './browser-engines.ts';
import { jsc } from './jsc/index.ts';
import { errors, lossy, slow } from './standard/accepted.ts';
import { json } from './standard/json.ts';
import { platform } from './standard/platform.ts';
import { listed, memory, rejected } from './standard/rejected.ts';
import { v8 } from './v8/index.ts';

export { PLATFORM_POSTS } from './standard/platform-posts.ts';

/**
 * Rules by what their ids begin with, which reports and baselines store. A new rule is a row in the file of its topic,
 * and a specimen: `fixtures/payloads/<id with - for />.js`.
 */
export const RULE_BOOKS: Readonly<Record<RuleBookName, readonly Rule[]>> = {
  spec: [...rejected, ...listed, ...slow, ...platform, ...lossy, ...memory, ...errors, ...json, ...database],
  v8: v8.rules,
  jsc: jsc.rules,
  spidermonkey: spidermonkey.rules,
  webkit: webkit.rules,
};

const { spec } = RULE_BOOKS;

export const ENGINES: Record<EngineName, Engine> = {
  v8: { ...v8, rules: [...v8.rules, ...spec] },
  jsc: { ...jsc, rules: [...jsc.rules, ...spec] },
  spidermonkey: { ...spidermonkey, rules: [...spidermonkey.rules, ...spec] },
  webkit: { ...webkit, rules: [...webkit.rules, ...spec] },
};
