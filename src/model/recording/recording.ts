/** What a file may hold: more is neither written nor read. */
export const MAX_GROUPS = 10_000;
export const MAX_RECORDING_BYTES = 64 * 2 ** 20;

/** What a message was given to: the function that a program calls, by the name it has in documentation. */
export const POSTING_APIS = [
  'Worker.postMessage',
  'parentPort.postMessage',
  'MessagePort.postMessage',
  'BroadcastChannel.postMessage',
  'self.postMessage',
  'window.postMessage',
  'structuredClone',
  'process.send',
  'ChildProcess.send',
  'workerData',
] as const;
export type PostingApi = (typeof POSTING_APIS)[number];

/** To another process, which nothing can be transferred to. */
export const isToProcess = (api: PostingApi): boolean =>
  api === 'process.send' || api === 'ChildProcess.send';

/** Which call sites of a recording to take; with both, the n that cost most of those that contain the text. */
export interface SiteChoice {
  /** The n sites that cost most; null: those that make 95 % of the cost. */
  top: number | null;
  /** Only sites whose file and line, or library, contain it. */
  site: string | null;
}

export const PAGE_KINDS = ['page', 'iframe', 'shared worker', 'service worker'] as const;

/** Which values of messages a recording has: others of their class alone, those with other texts, or all. */
export const KEPT_VALUES = ['none', 'masked', 'kept'] as const;
export type KeptValues = (typeof KEPT_VALUES)[number];
