/**
 * Outcomes of posting platform objects that a specification marks as serializable or transferable, as seen on Node 20
 * to 26, Bun 1.2.20 to 1.4.5, Deno 2.5 to 2.9.6, Electron 33.2, Chromium 143 and 156, Firefox 153, WebKitGTK 2.50
 * (`clone-prof verify`). Rows of a store come before those that hold on each channel: `v8.serialize` into a file in
 * processes, IndexedDB in pages, and contextBridge in Electron, whose pages have classes that its main process lacks.
 */
import { type Channel, channelsWith } from '../../model/names.ts';
import type { PlatformPost, PlatformPosts, PlatformTable } from '../../model/rules/rule.ts';

/** The tested build of the browser does not have the class; other builds do. */
const UNSEEN: readonly PlatformPost[] = [];
const CLONED = [{ as: ['cloned'] }] as const satisfies readonly PlatformPost[];
const MOVED = [{ as: ['moved'] }] as const satisfies readonly PlatformPost[];
const BOTH = [{ as: ['cloned', 'moved'] }] as const satisfies readonly PlatformPost[];
const REFUSED = [{ as: ['refused'] }] as const satisfies readonly PlatformPost[];
const EMPTIED = [{ as: ['emptied'] }] as const satisfies readonly PlatformPost[];
const APART = [{ as: ['cloned', 'apart'] }] as const satisfies readonly PlatformPost[];
const OTHER_CLASS = [{ as: ['cloned', 'other-class'] }] as const satisfies readonly PlatformPost[];

const FILE: readonly Channel[] = ['storage'];
const EMPTIED_IN_FILE: PlatformPost = { channels: FILE, as: ['emptied'] };
const REFUSED_IN_FILE: PlatformPost = { channels: FILE, as: ['refused'] };
const UNSEEN_IN_FILE: PlatformPost = { channels: FILE, as: [] };
/** Classes in C++ in Node 20, later in JavaScript: then v8.serialize sees only their own properties. */
const WRITTEN: readonly PlatformPost[] = [
  { ...REFUSED_IN_FILE, versions: '<21.0.0' },
  { ...EMPTIED_IN_FILE, versions: '>=22.23.0' },
  UNSEEN_IN_FILE,
];
/** It exists in memory only, as frames, code and tracks do. */
const NOT_STORED: PlatformPost = { channels: ['indexeddb'], as: ['refused'] };

const BRIDGE: readonly Channel[] = ['electron-bridge'];
const EMPTIED_OVER_BRIDGE: readonly PlatformPost[] = [{ channels: BRIDGE, as: ['emptied'] }];
const UNSEEN_OVER_BRIDGE: PlatformPost = { channels: BRIDGE, as: [] };

/** Channels whose receiver cannot share memory with the sender. */
const BEYOND = channelsWith({ cloned: 'beyond' });
/** Chromium writes these to workers, ports and windows. A broadcast gives null, the worker of an extension nothing. */
const LOST_ELSEWHERE: PlatformPost = { channels: ['broadcast', ...BEYOND], as: ['lost'] };
/** Firefox and WebKit clone it within a page and its workers: a service worker gets an event messageerror. */
const LOST_BEYOND: PlatformPost = { channels: BEYOND, as: ['lost'] };
const REFUSED_BEYOND: PlatformPost = { channels: BEYOND, as: ['refused'] };
/** The receiving scope does not have the class, so it cannot read the message. */
const TO_WORKERS: readonly Channel[] = ['worker', 'message-port', 'broadcast', ...BEYOND];
/** WebKit shares memory with workers only. */
const WITHIN_PAGE: readonly Channel[] = ['structured-clone', 'window'];

/** The postMessage functions of Bun 1.3 accept them, but its structuredClone does not. */
const BUN_MODULE: readonly PlatformPost[] = [
  REFUSED_IN_FILE,
  { versions: '<1.4.0', channels: ['structured-clone'], as: ['refused'] },
  ...APART,
];

const apart = { chromium: CLONED, firefox: CLONED, webkit: APART } as const satisfies PlatformPosts;
const geometry = { ...apart, deno: EMPTIED, electron: EMPTIED_OVER_BRIDGE } as const satisfies PlatformPosts;
const stream = {
  node: [...WRITTEN, ...MOVED],
  bun: REFUSED,
  electron: [...EMPTIED_OVER_BRIDGE, ...REFUSED],
  deno: [EMPTIED_IN_FILE, { versions: '<2.6.0', as: ['emptied'] }, ...MOVED],
  workerd: [{ channels: ['structured-clone'], as: ['refused'] }, ...CLONED],
  ...{ chromium: MOVED, firefox: MOVED, webkit: REFUSED },
} as const satisfies PlatformPosts;
const media = {
  ...{ firefox: [NOT_STORED, LOST_BEYOND, ...BOTH], webkit: [NOT_STORED, LOST_BEYOND, ...BOTH] },
  ...{ chromium: [NOT_STORED, LOST_ELSEWHERE, ...BOTH], electron: EMPTIED_OVER_BRIDGE },
} as const satisfies PlatformPosts;
const encoded = {
  ...{ firefox: [NOT_STORED, LOST_BEYOND, ...CLONED], webkit: [NOT_STORED, ...CLONED] },
  ...{ chromium: [NOT_STORED, LOST_ELSEWHERE, ...CLONED], electron: EMPTIED_OVER_BRIDGE },
} as const satisfies PlatformPosts;
/** Up to Bun 1.3, two references arrive as two objects; up to Deno 2.6, JavaScript classes lack clone steps. */
const cloned = {
  ...{ ...apart, node: CLONED, electron: REFUSED },
  bun: [{ versions: '<1.4.0', as: ['cloned', 'apart'] }, ...CLONED],
  deno: [EMPTIED_IN_FILE, { versions: '<2.7.0', as: ['emptied'] }, ...CLONED],
} as const satisfies PlatformPosts;
const blob = {
  ...cloned,
  node: [...WRITTEN, ...CLONED],
  // Up to Bun 1.2.21 it is cloned as the message itself, and refused inside of one: rule jsc/blob-inside.
  bun: [
    { channels: FILE, versions: '<1.2.22', as: ['lost'] },
    { versions: '<1.2.22', as: [] },
    ...cloned.bun,
  ],
  electron: [{ channels: BRIDGE, as: ['cloned'] }, ...REFUSED],
} as const satisfies PlatformPosts;

export const PLATFORM_POSTS: PlatformTable = {
  Blob: {
    ...blob,
    // Versions between these were not tested.
    workerd: [
      { versions: '<1.20260502.0', as: ['refused'] },
      { versions: '>=1.20261117.0', as: ['cloned'] },
    ],
  },
  File: {
    ...blob,
    workerd: REFUSED,
    node: [...WRITTEN, { versions: '<23.0.0', as: ['cloned', 'other-class'] }, ...CLONED],
  },
  FileList: { ...apart, electron: EMPTIED_OVER_BRIDGE },
  DOMException: {
    ...{ ...cloned, workerd: CLONED },
    electron: EMPTIED,
    // Versions between these were not tested.
    node: [
      { versions: '<22.13.0 || >=24.0.0 <24.1.0', as: ['emptied'] },
      { channels: FILE, versions: '>=22.20.0 <24.0.0 || >=24.21.0', as: ['cloned', 'other-class'] },
      { versions: '>=22.20.0 <24.0.0 || >=24.21.0', as: ['cloned'] },
    ],
    deno: [
      { channels: FILE, as: ['cloned', 'other-class'] },
      { versions: '<2.7.0', as: ['cloned', 'other-class'] },
      ...CLONED,
    ],
  },
  QuotaExceededError: {
    ...{ node: [{ channels: FILE, as: ['cloned', 'other-class'] }, ...CLONED], deno: OTHER_CLASS },
    // Versions between these were not tested.
    chromium: [
      { versions: '<144', as: ['refused'] },
      { channels: ['indexeddb'], as: [] },
      { versions: '>=156', as: ['cloned'] },
    ],
    ...{ firefox: UNSEEN, webkit: UNSEEN },
  },
  WebTransportError: { chromium: REFUSED, firefox: REFUSED, webkit: UNSEEN },
  GPUPipelineError: { chromium: REFUSED, deno: OTHER_CLASS, firefox: UNSEEN, webkit: UNSEEN },
  ImageData: { ...geometry, webkit: CLONED },
  ImageBitmap: {
    ...{ chromium: BOTH, firefox: [NOT_STORED, LOST_BEYOND, ...BOTH] },
    webkit: [{ channels: BEYOND, as: ['cloned', 'apart'] }, { as: ['cloned', 'moved', 'apart'] }],
    ...{ deno: EMPTIED, electron: EMPTIED_OVER_BRIDGE },
  },
  OffscreenCanvas: {
    ...{ chromium: MOVED, deno: EMPTIED, electron: EMPTIED_OVER_BRIDGE },
    ...{ firefox: [REFUSED_BEYOND, ...MOVED], webkit: [REFUSED_BEYOND, ...MOVED] },
  },
  MessagePort: {
    ...{ node: MOVED, bun: MOVED, workerd: REFUSED, electron: [...EMPTIED_OVER_BRIDGE, ...REFUSED] },
    // Later versions refuse it in a file if node:worker_threads has given it own functions.
    deno: [{ ...EMPTIED_IN_FILE, versions: '<2.6.0' }, UNSEEN_IN_FILE, ...MOVED],
    ...{ chromium: MOVED, firefox: MOVED, webkit: MOVED },
  },
  DOMPoint: geometry,
  DOMPointReadOnly: geometry,
  DOMRect: geometry,
  DOMRectReadOnly: geometry,
  DOMQuad: geometry,
  DOMMatrix: geometry,
  DOMMatrixReadOnly: geometry,
  VideoFrame: media,
  AudioData: media,
  EncodedVideoChunk: encoded,
  EncodedAudioChunk: encoded,
  RTCCertificate: {
    chromium: [{ channels: TO_WORKERS, as: ['lost'] }, ...CLONED],
    firefox: [{ channels: TO_WORKERS, as: ['lost'] }, ...CLONED],
    ...{ webkit: UNSEEN, electron: EMPTIED_OVER_BRIDGE },
  },
  RTCDataChannel: {
    chromium: [REFUSED_BEYOND, ...MOVED],
    firefox: [{ channels: [...WITHIN_PAGE, ...BEYOND], as: ['refused'] }, ...MOVED],
    ...{ webkit: UNSEEN, electron: EMPTIED_OVER_BRIDGE },
  },
  MediaStreamTrack: {
    ...{ chromium: REFUSED, firefox: REFUSED, electron: EMPTIED_OVER_BRIDGE },
    webkit: [NOT_STORED, LOST_BEYOND, ...BOTH],
  },
  CanvasCaptureMediaStreamTrack: {
    ...{ chromium: REFUSED, electron: EMPTIED_OVER_BRIDGE },
    webkit: [NOT_STORED, LOST_BEYOND, { as: ['cloned', 'moved', 'other-class'] }],
  },
  MediaSourceHandle: { chromium: MOVED, webkit: UNSEEN },
  FileSystemFileHandle: { chromium: CLONED, firefox: CLONED, webkit: UNSEEN },
  FileSystemDirectoryHandle: { chromium: CLONED, firefox: CLONED, webkit: UNSEEN },
  CryptoKey: {
    ...{ ...cloned, workerd: REFUSED, electron: [UNSEEN_OVER_BRIDGE, ...REFUSED] },
    node: [
      { ...EMPTIED_IN_FILE, versions: '>=22.23.0 <23.0.0' },
      { ...REFUSED_IN_FILE, versions: '<21.0.0 || >=24.21.0' },
      ...[UNSEEN_IN_FILE, ...CLONED],
    ],
    // A worker of Deno cannot post what it received, so the outcome cannot be compared.
    deno: [
      EMPTIED_IN_FILE,
      { versions: '<2.7.0', as: ['emptied'] },
      { channels: ['structured-clone'], as: ['cloned'] },
    ],
  },
  ReadableStream: stream,
  WritableStream: stream,
  TransformStream: { ...stream, workerd: REFUSED },
  Module: {
    electron: [UNSEEN_OVER_BRIDGE, { as: ['lost'] }],
    ...{ node: [{ channels: FILE, as: ['lost'] }, ...CLONED], deno: [REFUSED_IN_FILE, ...CLONED] },
    ...{ firefox: [NOT_STORED, LOST_BEYOND, ...CLONED], webkit: [NOT_STORED, LOST_BEYOND, ...APART] },
    ...{ chromium: [NOT_STORED, LOST_ELSEWHERE, ...CLONED], bun: BUN_MODULE },
  },
  Memory: {
    ...{ node: [REFUSED_IN_FILE, ...CLONED], deno: [REFUSED_IN_FILE, ...CLONED], bun: BUN_MODULE },
    ...{ electron: REFUSED, firefox: [NOT_STORED, LOST_BEYOND, ...CLONED] },
    chromium: [NOT_STORED, LOST_ELSEWHERE, ...CLONED],
    webkit: [NOT_STORED, { channels: WITHIN_PAGE, as: ['refused'] }, LOST_BEYOND, ...APART],
    workerd: [{ channels: ['rpc'], as: ['refused'] }, ...CLONED],
  },
  CropTarget: { chromium: [NOT_STORED, ...CLONED] },
};
