/** All channels, in the order of printed lists. */
import { broadcast } from './broadcast/index.ts';
import type { ChannelRows } from './common/row.ts';
import { electron } from './electron/index.ts';
import { extension } from './extension/index.ts';
import { indexeddb } from './indexeddb/index.ts';
import { ipc } from './ipc/index.ts';
import { messagePort } from './message-port/index.ts';
import { nodeWorker } from './node-worker/index.ts';
import { rpc } from './rpc/index.ts';
import { serviceWorker } from './service-worker/index.ts';
import { storage } from './storage/index.ts';
import { structuredClone } from './structured-clone/index.ts';
import { window } from './window/index.ts';
import { worker } from './worker/index.ts';

export const CHANNEL_ROWS = {
  ...worker,
  ...nodeWorker,
  ...messagePort,
  ...structuredClone,
  ...broadcast,
  ...window,
  ...serviceWorker,
  ...ipc,
  ...storage,
  ...indexeddb,
  ...electron,
  ...rpc,
  ...extension,
} as const satisfies ChannelRows;
