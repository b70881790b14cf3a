/** Code reads the row of a channel and need not compare channel names. */

export interface ChannelRow<Runtime extends string = string> {
  /** Runtimes that can have the channel. */
  readonly of: readonly Runtime[];
  /** A transfer list moves its objects; absent: it copies them. */
  readonly moves?: true;
  /** The receiver is a separate thread, which may block and shares memory. */
  readonly toThread?: true;
  /** A different process holds a part of the messages in flight: a child, or the browser's own process. */
  readonly elsewhere?: true;
  /** It uses other steps than ports do, so a post over it is needed to see which values arrive or are refused. */
  readonly ownSteps?: true;
  /**
   * It does not use structured clone: a rule must name the channel to apply. Of errors it sends no contents, and of an
   * array no named properties, unless a Map or Set has the array.
   */
  readonly ownRules?: true;
  readonly json?: true;
  /** Reason for which no engine reports the path of its messages. */
  readonly unasked?: string;
  /** Values are copied one by one: no message is written. */
  readonly unwritten?: true;
  /** The receiver is the sender: the value returns to the same thread, from a store when the program reads it. */
  readonly local?: 'call' | 'store';
  /** Its messages are clones as of ports. within: the receiver can share memory with the sender; beyond: it cannot. */
  readonly cloned?: 'within' | 'beyond';
  /** "to a worker" */
  readonly words: string;
  /** Reason for which a platform lacks it; absent: most platforms have it, and the channels of others are named. */
  readonly lacking?: string;
  /** Code that posts MESSAGE. The part in brackets is for a transfer list, LIST. */
  readonly call: string;
  /** Lines around the code that receives MESSAGE; absent: all code of the program may receive it. */
  readonly receiver?: readonly [before: string, after: string];
  /** The lines that make the payload of the expression in <>, if the receiver asks for the message. */
  readonly taken?: string;
  /** `call` and `taken` for a content of its files, if they differ. */
  readonly contents?: Readonly<Record<string, { readonly call?: string; readonly taken: string }>>;
  /** Name of the call that throws; default: postMessage. */
  readonly thrower?: string;
  /** Meaning of a round trip, if it is not a message and its answer. */
  readonly trip?: string;
  /** Names of both directions; default: send and receive. */
  readonly directions?: { readonly send: string; readonly receive: string };
  /** Advice in place of fewer, larger messages. */
  readonly fewer?: string;
}

export type ChannelRows = Readonly<Record<string, ChannelRow>>;

export const PAGES = ['chromium', 'firefox', 'webkit'] as const;
export const PROCESSES = ['node', 'bun', 'deno'] as const;
export const ALL = [...PROCESSES, ...PAGES] as const;

export const TO_WORKER = {
  of: ALL,
  moves: true,
  toThread: true,
  cloned: 'within',
  call: 'worker.postMessage(MESSAGE[, LIST]);',
} as const satisfies Partial<ChannelRow>;

export const AS_JSON = {
  ownRules: true,
  json: true,
  unasked: 'a message of JSON text has one path',
} as const satisfies Partial<ChannelRow>;
