import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { Channel } from '../../../model/names.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';

/** Channel of each call within a process. */
const CHANNEL_OF: Readonly<Record<PostingApi, Channel | null>> = {
  'Worker.postMessage': 'worker',
  'parentPort.postMessage': 'worker',
  'MessagePort.postMessage': 'message-port',
  'BroadcastChannel.postMessage': 'broadcast',
  'self.postMessage': 'worker',
  'window.postMessage': 'window',
  structuredClone: 'structured-clone',
  'process.send': null,
  'ChildProcess.send': null,
  workerData: 'worker',
};

/** Channel of the messages of a site. If the format between processes is not known, it is the default of `fork`. */
export const channelOf = ({ api, serialization }: Pick<RecordedMessages, 'api' | 'serialization'>): Channel =>
  CHANNEL_OF[api] ?? (serialization === 'advanced' ? 'ipc-advanced' : 'ipc-json');
