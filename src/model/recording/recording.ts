/** Maxima of a recording file: larger recordings are neither written nor read. */
export const MAX_GROUPS = 10_000;
export const MAX_RECORDING_BYTES = 64 * 2 ** 20;

/** Functions that a program posts messages with, by their names in documentation. */
export const POSTING_APIS = [
  'Worker.postMessage',
  'parentPort.postMessage',
  'MessagePort.postMessage',
  'BroadcastChannel.postMessage',
  'self.postMessage',
  'window.postMessage',
  'ServiceWorker.postMessage',
  'Client.postMessage',
  'structuredClone',
  'process.send',
  'ChildProcess.send',
  'workerData',
] as const;
export type PostingApi = (typeof POSTING_APIS)[number];

/** True for messages to another process, which cannot be given a transfer list. */
export const isToProcess = (api: PostingApi): boolean =>
  api === 'process.send' || api === 'ChildProcess.send';

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
