import type { Engine } from '../../model/rules/rule.ts';
import { arrays } from './arrays.ts';
import { buffers } from './buffers.ts';
import { deno } from './deno.ts';
import { electron } from './electron.ts';
import { extension } from './extension.ts';
import { ipc } from './ipc.ts';
import { objects } from './objects.ts';
import { paths, shares } from './paths.ts';
import { platform } from './platform.ts';
import { storage } from './storage.ts';
import { strings } from './strings.ts';
import { unknowns } from './unknowns.ts';
import { workerd } from './workerd.ts';

/** V8 as Node, Deno, workerd, Electron and Chromium use it. */
export const v8: Engine = {
  name: 'v8',
  paths,
  rules: [
    ...[...strings, ...arrays, ...objects, ...buffers, ...platform],
    ...[...deno, ...workerd, ...ipc, ...storage, ...electron, ...extension],
  ],
  unknowns,
  shares,
};
