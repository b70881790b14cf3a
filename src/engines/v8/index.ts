import type { Engine } from '../../model/rules/rule.ts';
import { arrays } from './arrays.ts';
import { buffers } from './buffers.ts';
import { deno } from './hosts/deno.ts';
import { electron } from './hosts/electron.ts';
import { electronBridge } from './hosts/electron-bridge.ts';
import { extension } from './hosts/extension.ts';
import { ipc } from './hosts/ipc.ts';
import { storage } from './hosts/storage.ts';
import { workerd } from './hosts/workerd.ts';
import { objects } from './objects.ts';
import { paths, shares } from './paths.ts';
import { platform } from './platform.ts';
import { strings } from './strings.ts';
import { unknowns } from './unknowns.ts';

/** V8 as Node, Deno, workerd, Electron and Chromium use it. */
export const v8: Engine = {
  name: 'v8',
  paths,
  rules: [
    ...[...strings, ...arrays, ...objects, ...buffers, ...platform],
    ...[...deno, ...workerd, ...ipc, ...storage, ...electron, ...electronBridge, ...extension],
  ],
  unknowns,
  shares,
};
