/** The words of the project as types. Closed unions: adding a member breaks the build where it must. */

/** Whose rules apply. `spec` holds what the HTML standard fixes for every engine. */
export type EngineName = 'v8' | 'jsc' | 'spidermonkey' | 'webkit';
export type RuleBookName = EngineName | 'spec';

export type RuntimeName = 'node' | 'bun' | 'deno' | 'chromium' | 'firefox' | 'webkit';

/** Whose rules apply where. */
export const ENGINE_OF: Readonly<Record<RuntimeName, EngineName>> = {
  node: 'v8',
  deno: 'v8',
  chromium: 'v8',
  bun: 'jsc',
  firefox: 'spidermonkey',
  webkit: 'webkit',
};

/** How the value travels. */
export const CHANNELS = ['worker', 'message-port', 'structured-clone', 'broadcast', 'ipc'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A program that runs JavaScript, with its exact version. */
export interface RuntimeId {
  name: RuntimeName;
  /** Exact version without a leading "v": "24.21.0". */
  version: string;
  engine: EngineName;
}

/** Which way the engine takes with the message as a whole. */
export type PathName =
  // jsc (Bun)
  | 'string-shared'
  | 'string-copied'
  | 'simple-object'
  | 'int32-array'
  | 'double-array'
  | 'simple-array'
  | 'dense-array'
  // v8
  | 'one-byte-string'
  | 'two-byte-string'
  | 'packed-array'
  | 'holey-array'
  | 'fast-object'
  | 'dictionary-object'
  | 'buffer'
  | 'scalar'
  | 'identity'
  | 'scalar-codec'
  // all
  | 'serializer'
  | 'rejected';

/** What a payload costs, best first. The order is the meaning: a payload is as bad as its worst part. */
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
