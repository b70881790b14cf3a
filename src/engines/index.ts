import type { EngineName } from '../model/names.ts';
import type { Engine } from '../model/rule.ts';
import { jsc } from './jsc/index.ts';
import { spidermonkey } from './spidermonkey/index.ts';
import { v8 } from './v8/index.ts';
import { webkit } from './webkit/index.ts';

export { spec as STANDARD } from './standard/index.ts';

export const ENGINES: Record<EngineName, Engine> = { v8, jsc, spidermonkey, webkit };
