/** From Electron's main process to a renderer: V8's serializer with a delegate of Electron's. */
import { ELECTRON_CHANNELS } from '../../../model/names.ts';
import type { Rule, When } from '../../../model/rules/rule.ts';
import { ANYWHERE } from '../../standard/common.ts';
import { AS_PARTS, EMPTIED, markedObject, unmarkedObject, urlObject } from '../../standard/platform.ts';
import { PLATFORM_POSTS as by } from '../../standard/platform-posts.ts';

const TO_RENDERER = {
  scope: { runtimes: { electron: '*' }, channels: ELECTRON_CHANNELS },
  source: 'Electron shell/common/v8_util.cc V8Serializer; seen on Electron 33.2',
} as const satisfies Partial<Rule>;
const OBJECT = { kind: 'platform' } as const satisfies When;

export const electron = [
  {
    ...ANYWHERE.rejected,
    ...TO_RENDERER,
    id: 'v8/shared-to-renderer',
    when: [{ kind: 'sharedarraybuffer' }, { kind: ['typedarray', 'dataview'], all: ['shared-backing'] }],
    title: 'shared memory to a renderer',
    why: 'A renderer is another process, which cannot share memory: a SharedArrayBuffer, or a view on one, is refused.',
    fix: 'Send a copy: new Uint8Array(shared).slice().',
    remedies: ['plain'],
  },
  {
    ...ANYWHERE.rejected,
    ...TO_RENDERER,
    id: 'v8/object-to-renderer',
    when: { ...OBJECT, posted: { by, all: ['refused'] } },
    title: 'platform object that no renderer gets',
    why: 'Electron\'s serializer knows objects of JavaScript alone: a Blob, a stream, a key or a port is refused, with "An object could not be cloned". webContents.send prints that in place of throwing it.',
    fix: 'Send its bytes: await blob.bytes(). Ports of MessageChannelMain go into the transfer list of webContents.postMessage.',
  },
  {
    ...ANYWHERE.rejected,
    ...TO_RENDERER,
    id: 'v8/module-to-renderer',
    when: { ...OBJECT, posted: { by, all: ['lost'] } },
    title: 'WebAssembly module to a renderer',
    why: 'It is written without an error, and the renderer cannot read it: nothing of the message arrives.',
    fix: 'Send the bytes that it was compiled from.',
  },
  {
    ...ANYWHERE.lossy,
    ...TO_RENDERER,
    id: 'v8/web-object-to-renderer',
    when: [...urlObject, ...markedObject, ...unmarkedObject],
    loses: ['class', 'property', 'getter'],
    title: 'web object to a renderer',
    why: EMPTIED,
    ...AS_PARTS,
  },
] as const satisfies readonly Rule[];
