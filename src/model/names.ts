/** Closed sets of names. A new member is a compile error wherever it must be handled. */

export const ENGINE_NAMES = ['v8', 'jsc', 'spidermonkey', 'webkit'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Rule books: one for each engine, and `spec` for what the HTML standard fixes for all of them. */
export type RuleBookName = EngineName | 'spec';

/** Runtimes whose guests are processes. A new one is named here; the compiler then asks for what belongs to it. */
export const PROCESS_RUNTIMES = ['node', 'bun', 'deno'] as const;
export type ProcessRuntime = (typeof PROCESS_RUNTIMES)[number];

export const RUNTIME_NAMES = [...PROCESS_RUNTIMES, 'chromium', 'firefox', 'webkit'] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

/** The engine whose rules apply in a runtime. */
export const ENGINE_OF: Readonly<Record<RuntimeName, EngineName>> = {
  node: 'v8',
  deno: 'v8',
  chromium: 'v8',
  bun: 'jsc',
  firefox: 'spidermonkey',
  webkit: 'webkit',
};

/** A program that runs JavaScript, with its exact version. */
export interface RuntimeId {
  name: RuntimeName;
  /** Exact version without a leading "v": "24.21.0". */
  version: string;
  engine: EngineName;
}

/** How the value travels. */
export const CHANNELS = ['worker', 'message-port', 'structured-clone', 'broadcast', 'ipc'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What the engine does with the message as a whole. */
export const PATH_NAMES = [
  // jsc (Bun)
  'string-shared',
  'string-copied',
  'simple-object',
  'int32-array',
  'double-array',
  'simple-array',
  'dense-array',
  // v8
  'one-byte-string',
  'two-byte-string',
  'packed-array',
  'holey-array',
  'fast-object',
  'dictionary-object',
  'buffer',
  'scalar',
  'identity',
  'scalar-codec',
  // all
  'serializer',
  'rejected',
] as const;
export type PathName = (typeof PATH_NAMES)[number];

/** Cost classes of a payload, best first. A payload has the class of its worst part. */
export const COST_CLASSES = [
  'shared',
  'moved',
  'in-memory',
  'bulk',
  'serialized',
  'degraded',
  'rejected',
] as const;
export type CostClass = (typeof COST_CLASSES)[number];

/** How bad a finding is, worst first. */
export const LEVELS = ['rejected', 'slow', 'lossy', 'note'] as const;
export type Level = (typeof LEVELS)[number];

/** Worker libraries whose envelope `--via` can put around a payload. */
export const LIBRARIES = [
  'comlink',
  'piscina',
  'tinypool',
  'threads',
  'workerpool',
  'synckit',
  'jest-worker',
  'promise-worker',
  'poolifier',
] as const;
export type LibraryName = (typeof LIBRARIES)[number];
