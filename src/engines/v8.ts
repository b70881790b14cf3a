import type { Engine } from '../model/rule.ts';
import { arrays } from './v8/arrays.ts';
import { buffers } from './v8/buffers.ts';
import { objects } from './v8/objects.ts';
import { paths } from './v8/paths.ts';
import { platform } from './v8/platform.ts';
import { strings } from './v8/strings.ts';
import { unknowns } from './v8/unknowns.ts';

/** V8 as Node, Deno and Chromium use it. */
export const v8: Engine = {
  name: 'v8',
  paths,
  rules: [...strings, ...arrays, ...objects, ...buffers, ...platform],
  unknowns,
};
