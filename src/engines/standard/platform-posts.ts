/**
 * Outcomes of posting platform objects that a specification marks as serializable or transferable, as seen on Node 20
 * to 26, Bun 1.4.5, Deno 2.9, Electron 33.2, Chromium 143 and 156, Firefox 153, WebKitGTK 2.50 (`clone-prof verify`).
 */
import { type Channel, channelsWith } from '../../model/names.ts';
import type { PlatformPost, PlatformPosts, PlatformTable } from '../../model/rules/platform-posts.ts';

/** The tested build of the browser does not have the class; other builds do. */
const UNSEEN: readonly PlatformPost[] = [];
const CLONED = [{ as: ['cloned'] }] as const satisfies readonly PlatformPost[];
const MOVED = [{ as: ['moved'] }] as const satisfies readonly PlatformPost[];
const BOTH = [{ as: ['cloned', 'moved'] }] as const satisfies readonly PlatformPost[];
const REFUSED = [{ as: ['refused'] }] as const satisfies readonly PlatformPost[];
const EMPTIED = [{ as: ['emptied'] }] as const satisfies readonly PlatformPost[];
const APART = [{ as: ['cloned', 'apart'] }] as const satisfies readonly PlatformPost[];
const OTHER_CLASS = [{ as: ['cloned', 'other-class'] }] as const satisfies readonly PlatformPost[];

/** Channels whose receiver cannot share memory with the sender. */
const BEYOND = channelsWith({ cloned: 'beyond' });
/**
 * Chromium writes these into messages that stay with a worker, a port or a window. A listener of a broadcast gets null,
 * and the service worker of an extension gets nothing.
 */
const LOST_ELSEWHERE: PlatformPost = { channels: ['broadcast', ...BEYOND], as: ['lost'] };
/** Firefox and WebKit clone it within a page and its workers: a service worker gets an event messageerror. */
const LOST_BEYOND: PlatformPost = { channels: BEYOND, as: ['lost'] };
const REFUSED_BEYOND: PlatformPost = { channels: BEYOND, as: ['refused'] };
/** The receiving scope does not have the class, so it cannot read the message. */
const TO_WORKERS: readonly Channel[] = ['worker', 'message-port', 'broadcast', ...BEYOND];
/** WebKit shares memory with workers only. */
const WITHIN_PAGE: readonly Channel[] = ['structured-clone', 'window'];

/** The postMessage functions of Bun 1.3 accept them, but its structuredClone does not. */
const OLD_BUN_MODULE: readonly PlatformPost[] = [
  { versions: '<1.4.0', channels: ['structured-clone'], as: ['refused'] },
  ...APART,
];

const everywhere = { chromium: CLONED, firefox: CLONED, webkit: CLONED } as const satisfies PlatformPosts;
const apart = { chromium: CLONED, firefox: CLONED, webkit: APART } as const satisfies PlatformPosts;
const geometry = { ...apart, deno: EMPTIED } as const satisfies PlatformPosts;
const stream = {
  ...{ node: MOVED, bun: REFUSED, electron: REFUSED },
  deno: [{ versions: '<2.6.0', as: ['emptied'] }, ...MOVED],
  workerd: [{ channels: ['structured-clone'], as: ['refused'] }, ...CLONED],
  ...{ chromium: MOVED, firefox: MOVED, webkit: REFUSED },
} as const satisfies PlatformPosts;
const media = {
  ...{ firefox: [LOST_BEYOND, ...BOTH], webkit: [LOST_BEYOND, ...BOTH] },
  chromium: [LOST_ELSEWHERE, ...BOTH],
} as const satisfies PlatformPosts;
const encoded = {
  ...{ firefox: [LOST_BEYOND, ...CLONED], webkit: CLONED },
  chromium: [LOST_ELSEWHERE, ...CLONED],
} as const satisfies PlatformPosts;
/** Up to Bun 1.3, two references arrive as two objects; up to Deno 2.6, JavaScript classes lack clone steps. */
const blob = {
  ...{ ...apart, node: CLONED, electron: REFUSED },
  bun: [{ versions: '<1.4.0', as: ['cloned', 'apart'] }, ...CLONED],
  deno: [{ versions: '<2.7.0', as: ['emptied'] }, ...CLONED],
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
    node: [{ versions: '<23.0.0', as: ['cloned', 'other-class'] }, ...CLONED],
  },
  FileList: apart,
  DOMException: {
    ...{ ...blob, workerd: CLONED },
    electron: EMPTIED,
    // Versions between these were not tested.
    node: [
      { versions: '<22.13.0 || >=24.0.0 <24.1.0', as: ['emptied'] },
      { versions: '>=22.20.0 <24.0.0 || >=24.21.0', as: ['cloned'] },
    ],
    deno: [{ versions: '<2.7.0', as: ['cloned', 'other-class'] }, ...CLONED],
  },
  QuotaExceededError: {
    ...{ node: CLONED, deno: OTHER_CLASS },
    // Versions between these were not tested.
    chromium: [
      { versions: '<144', as: ['refused'] },
      { versions: '>=156', as: ['cloned'] },
    ],
    ...{ firefox: UNSEEN, webkit: UNSEEN },
  },
  WebTransportError: { chromium: REFUSED, firefox: REFUSED, webkit: UNSEEN },
  GPUPipelineError: { chromium: REFUSED, deno: OTHER_CLASS, firefox: UNSEEN, webkit: UNSEEN },
  ImageData: { ...everywhere, deno: EMPTIED },
  ImageBitmap: {
    ...{ chromium: BOTH, firefox: [LOST_BEYOND, ...BOTH] },
    webkit: [{ channels: BEYOND, as: ['cloned', 'apart'] }, { as: ['cloned', 'moved', 'apart'] }],
    deno: EMPTIED,
  },
  OffscreenCanvas: {
    ...{ chromium: MOVED, deno: EMPTIED },
    ...{ firefox: [REFUSED_BEYOND, ...MOVED], webkit: [REFUSED_BEYOND, ...MOVED] },
  },
  MessagePort: {
    ...{ node: MOVED, bun: MOVED, deno: MOVED, electron: REFUSED, workerd: REFUSED },
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
    webkit: UNSEEN,
  },
  RTCDataChannel: {
    chromium: [REFUSED_BEYOND, ...MOVED],
    firefox: [{ channels: [...WITHIN_PAGE, ...BEYOND], as: ['refused'] }, ...MOVED],
    webkit: UNSEEN,
  },
  MediaStreamTrack: { chromium: REFUSED, firefox: REFUSED, webkit: [LOST_BEYOND, ...BOTH] },
  CanvasCaptureMediaStreamTrack: {
    chromium: REFUSED,
    webkit: [LOST_BEYOND, { as: ['cloned', 'moved', 'other-class'] }],
  },
  MediaSourceHandle: { chromium: MOVED, webkit: UNSEEN },
  FileSystemFileHandle: { chromium: CLONED, firefox: CLONED, webkit: UNSEEN },
  FileSystemDirectoryHandle: { chromium: CLONED, firefox: CLONED, webkit: UNSEEN },
  CryptoKey: {
    ...{ ...blob, workerd: REFUSED },
    // A worker of Deno cannot post what it received, so the outcome cannot be compared.
    deno: [
      { versions: '<2.7.0', as: ['emptied'] },
      { channels: ['structured-clone'], as: ['cloned'] },
    ],
  },
  ReadableStream: stream,
  WritableStream: stream,
  TransformStream: { ...stream, workerd: REFUSED },
  Module: {
    electron: [{ as: ['lost'] }],
    ...{ node: CLONED, deno: CLONED },
    ...{ firefox: [LOST_BEYOND, ...CLONED], webkit: [LOST_BEYOND, ...APART] },
    chromium: [LOST_ELSEWHERE, ...CLONED],
    bun: OLD_BUN_MODULE,
  },
  Memory: {
    electron: REFUSED,
    ...{ node: CLONED, bun: OLD_BUN_MODULE, deno: CLONED },
    firefox: [LOST_BEYOND, ...CLONED],
    chromium: [LOST_ELSEWHERE, ...CLONED],
    webkit: [{ channels: WITHIN_PAGE, as: ['refused'] }, LOST_BEYOND, ...APART],
    workerd: [{ channels: ['rpc'], as: ['refused'] }, ...CLONED],
  },
  CropTarget: { chromium: CLONED },
};
