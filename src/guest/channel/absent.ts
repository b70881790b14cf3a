import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import { currentPlatform } from '../platform/current.ts';

const NO_CHILD = 'this runtime has no child process with process.send';
const NO_RENDERER = 'only Electron has renderers';
const NO_EXTENSION =
  'only Chromium has extensions of clone-prof: one that it started, and that sends from the main thread';

/** Why a platform has no row for the channel; null: most have one, and those of the others are named. */
const ABSENT: Readonly<Record<Channel, string | null>> = {
  ...{ worker: null, 'message-port': null, broadcast: null, 'structured-clone': null },
  'ipc-json': NO_CHILD,
  'ipc-advanced': `${NO_CHILD} and advanced serialization`,
  'node-worker': 'the workers of node:worker_threads are those of the channel worker here',
  window: 'only a page of a browser has windows, and posts to them from its main thread',
  storage: 'a page has no files',
  indexeddb: 'only pages of a server have IndexedDB',
  'electron-ipc': NO_RENDERER,
  'electron-port': NO_RENDERER,
  'electron-bridge': NO_RENDERER,
  rpc: 'only services of workerd call each other by RPC',
  extension: NO_EXTENSION,
  'extension-clone': NO_EXTENSION,
};

/** The error 'channel-unsupported' of a channel that this runtime, or this thread, does not have. */
export function absent(channel: Channel): ToolError {
  const { local, peers, senders } = currentPlatform();
  const detail =
    ABSENT[channel] ?? `its channels are -c ${Object.keys({ ...peers, ...senders, ...local }).join(' ')}`;
  return new ToolError('channel-unsupported', { value: channel, detail });
}
