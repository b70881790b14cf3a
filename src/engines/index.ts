import type { Engine } from '../model/rule.ts';
import type { EngineName } from '../model/words.ts';
import { jsc } from './jsc.ts';
import { spidermonkey } from './spidermonkey.ts';
import { v8 } from './v8.ts';
import { webkit } from './webkit.ts';

export { spec as SPEC } from './spec.ts';

export const ENGINES: Record<EngineName, Engine> = { v8, jsc, spidermonkey, webkit };
