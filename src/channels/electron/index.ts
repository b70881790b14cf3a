/** The main process of Electron and a renderer, and the two worlds of a page. */
import type { ChannelRow, ChannelRows } from '../common/row.ts';

const IN_ELECTRON = {
  of: ['electron'],
  lacking: 'only Electron has renderers',
} as const satisfies Partial<ChannelRow>;
const TO_RENDERER = { ...IN_ELECTRON, elsewhere: true } as const satisfies Partial<ChannelRow>;

export const electron = {
  'electron-ipc': {
    ...TO_RENDERER,
    words: 'to a renderer of Electron',
    call: "window.webContents.send('message', MESSAGE);",
    thrower: 'webContents.postMessage',
  },
  'electron-port': {
    ...TO_RENDERER,
    words: 'through a port of Electron',
    call: 'port.postMessage(MESSAGE);',
  },
  'electron-bridge': {
    ...IN_ELECTRON,
    local: 'store',
    ownSteps: true,
    ownRules: true,
    unasked: 'a bridge copies by steps of its own, which nothing reports',
    unwritten: true,
    words: 'over contextBridge',
    call: 'window.api.run(MESSAGE); // of the preload script',
    receiver: ["contextBridge.exposeInMainWorld('api', { run(MESSAGE) {", '} });'],
    thrower: 'the call',
    trip: 'A round trip is one argument of a function that contextBridge exposes, and one result of another: each is a copy between the worlds of a page, and blocks its one thread.',
    directions: { send: 'argument (blocks)', receive: 'result (blocks)' },
  },
} as const satisfies ChannelRows;
