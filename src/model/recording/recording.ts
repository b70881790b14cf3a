import type { Channel } from '../names.ts';

export const MAX_GROUPS = 10_000;
export const MAX_RECORDING_BYTES = 64 * 2 ** 20;

/** Functions that a program posts messages with, by their names in documentation: their channel within a process. */
export const CHANNEL_OF_API = {
  'Worker.postMessage': 'worker',
  'parentPort.postMessage': 'worker',
  'MessagePort.postMessage': 'message-port',
  'BroadcastChannel.postMessage': 'broadcast',
  'self.postMessage': 'worker',
  'window.postMessage': 'window',
  'ServiceWorker.postMessage': 'service-worker',
  'Client.postMessage': 'service-worker',
  structuredClone: 'structured-clone',
  'process.send': null,
  'ChildProcess.send': null,
  workerData: 'worker',
} as const satisfies Readonly<Record<string, Channel | null>>;
export type PostingApi = keyof typeof CHANNEL_OF_API;
export const POSTING_APIS = Object.keys(CHANNEL_OF_API) as PostingApi[];

/** True for messages to another process, which cannot be given a transfer list. */
export const isToProcess = (api: PostingApi): boolean => CHANNEL_OF_API[api] === null;

/** Call sites of a recording to take. If both are set: the `top` costliest of the sites that match `site`. */
export interface SiteChoice {
  /** Number of sites to take, costliest first; null: the sites that make 95 % of the cost. */
  top: number | null;
  /** Name of a site in a report; else a text that its file and line, library or called function must contain. */
  site: string | null;
}

export const PAGE_KINDS = ['page', 'iframe', 'shared worker', 'service worker'] as const;

/** Recorded values of messages: 'none' replaces all by values of the same class, 'masked' only texts. */
export const KEPT_VALUES = ['none', 'masked', 'kept'] as const;
export type KeptValues = (typeof KEPT_VALUES)[number];

/** Request to size a recorded message, to a process of its runtime. Sizes in bytes. */
export interface ByteRequest {
  /** Body of a function that makes the message, written by `bytesModuleOf`. */
  body: string;
  /** Bytes of buffers that the function does not make, and the part of them that views show. */
  left: { buffers: number; views: number };
  channel: Extract<Channel, 'worker' | 'ipc-advanced' | 'ipc-json'>;
  /** True if JSON text writes the bytes of a view as a list. */
  listsViews: boolean;
}

/** `error`: half width of the 95 % interval, as a share. Null for a message without a known size. */
export type SizedSample = { bytes: number; error: number } | null;

// What the host and the recorder in a program agree on.

/** A file that reserves disk space: when the disk is full, the recorder deletes it, and the host sees that it is missing. */
export const ROOM_FILE = 'room';

/** Variable of the environment that names the folder of the recording. The recorder starts in each process that has it. */
export const FOLDER_VARIABLE = 'CLONE_PROF_RECORDING';

/** Environment data of a worker in Node, there only until its own code runs. */
export const HANDOVER = 'clone-prof: thread';

/** Settings that the host gives to the recorder of each thread, in `settings.json` of the recording's folder. */
export interface TapSettings {
  values: KeptValues;
  /** True if the errors that posts throw in the program are extended by the path of the refused value. */
  doctor: boolean;
  startedAt: number;
  /** Random text that is mixed into the hashes of this recording. */
  salt: string;
}

export interface ProcessTapSettings extends TapSettings {
  /** Variables that start the recorder in a child, with the option that goes before what they hold. */
  environment: readonly { name: string; option: string }[];
}

export interface PageTapSettings extends TapSettings {
  /** Name of the function that sends messages to the host. The recorder removes it before code of the page runs. */
  binding: string;
  worker: string | null;
}

/** Start of a message of a page to the host that has lines of its records; other messages are its `PageState`. */
export const PAGE_RECORDS = '{"record"';
