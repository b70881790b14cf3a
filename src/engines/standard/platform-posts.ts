/**
 * What each runtime does with objects of the platform that a specification marks as serializable or transferable, as it was
 * seen: Node 20 to 26, Bun 1.4.5, Deno 2.9, Chromium 143, Firefox 153, WebKitGTK 2.50. `clone-prof verify` posts one of each.
 */
import type { Channel } from '../../model/names.ts';
import type { PlatformPost, PlatformPosts, PlatformTable } from '../../model/rules/platform-posts.ts';

/** Other builds of the browser than the one that was asked have the class. */
const UNSEEN: readonly PlatformPost[] = [];
const CLONED = [{ as: ['cloned'] }] as const satisfies readonly PlatformPost[];
const MOVED = [{ as: ['moved'] }] as const satisfies readonly PlatformPost[];
const BOTH = [{ as: ['cloned', 'moved'] }] as const satisfies readonly PlatformPost[];
const REFUSED = [{ as: ['refused'] }] as const satisfies readonly PlatformPost[];
const EMPTIED = [{ as: ['emptied'] }] as const satisfies readonly PlatformPost[];
const APART = [{ as: ['cloned', 'apart'] }] as const satisfies readonly PlatformPost[];
const OTHER_CLASS = [{ as: ['cloned', 'other-class'] }] as const satisfies readonly PlatformPost[];

/** Chromium writes these into messages that stay with a worker, a port or a window; who listens to the channel gets null. */
const LOST_IN_BROADCAST: PlatformPost = { channels: ['broadcast'], as: ['lost'] };
/** Their scope has no such class, so that nobody there can read the message. */
const TO_WORKERS: readonly Channel[] = ['worker', 'message-port', 'broadcast'];
/** WebKit shares memory with workers alone. */
const WITHIN_PAGE: readonly Channel[] = ['structured-clone', 'window'];

const everywhere = { chromium: CLONED, firefox: CLONED, webkit: CLONED } as const satisfies PlatformPosts;
const apart = { chromium: CLONED, firefox: CLONED, webkit: APART } as const satisfies PlatformPosts;
const geometry = { ...apart, deno: EMPTIED } as const satisfies PlatformPosts;
const stream = {
  ...{ node: MOVED, deno: MOVED, bun: REFUSED },
  ...{ chromium: MOVED, firefox: MOVED, webkit: REFUSED },
} as const satisfies PlatformPosts;
const media = {
  ...{ firefox: BOTH, webkit: BOTH },
  chromium: [LOST_IN_BROADCAST, ...BOTH],
} as const satisfies PlatformPosts;
const encoded = {
  ...{ firefox: CLONED, webkit: CLONED },
  chromium: [LOST_IN_BROADCAST, ...CLONED],
} as const satisfies PlatformPosts;
const blob = { ...apart, node: CLONED, bun: CLONED, deno: CLONED } as const satisfies PlatformPosts;

export const PLATFORM_POSTS: PlatformTable = {
  Blob: blob,
  File: { ...blob, node: [{ versions: '<23.0.0', as: ['cloned', 'other-class'] }, ...CLONED] },
  FileList: apart,
  DOMException: blob,
  QuotaExceededError: {
    ...{ node: CLONED, deno: OTHER_CLASS, chromium: REFUSED },
    ...{ firefox: UNSEEN, webkit: UNSEEN },
  },
  WebTransportError: { chromium: REFUSED, firefox: REFUSED, webkit: UNSEEN },
  GPUPipelineError: { chromium: REFUSED, deno: OTHER_CLASS, firefox: UNSEEN, webkit: UNSEEN },
  ImageData: { ...everywhere, deno: EMPTIED },
  ImageBitmap: {
    ...{ chromium: BOTH, firefox: BOTH },
    webkit: [{ as: ['cloned', 'moved', 'apart'] }],
    deno: EMPTIED,
  },
  OffscreenCanvas: { chromium: MOVED, firefox: MOVED, webkit: MOVED, deno: EMPTIED },
  MessagePort: {
    ...{ node: MOVED, bun: MOVED, deno: MOVED },
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
    // Chromium moves it also where it is not listed.
    chromium: [LOST_IN_BROADCAST, ...BOTH],
    firefox: [{ channels: [...WITHIN_PAGE, 'broadcast'], as: ['refused'] }, ...MOVED],
    webkit: UNSEEN,
  },
  MediaStreamTrack: { chromium: REFUSED, firefox: REFUSED, webkit: CLONED },
  CanvasCaptureMediaStreamTrack: { chromium: REFUSED, webkit: OTHER_CLASS },
  MediaSourceHandle: { chromium: MOVED, webkit: UNSEEN },
  FileSystemFileHandle: { chromium: CLONED, firefox: CLONED, webkit: UNSEEN },
  FileSystemDirectoryHandle: { chromium: CLONED, firefox: CLONED, webkit: UNSEEN },
  CryptoKey: { ...blob, deno: [{ versions: '<2.7.0', as: ['emptied'] }, ...CLONED] },
  ReadableStream: stream,
  WritableStream: stream,
  TransformStream: stream,
  Module: {
    ...blob,
    ...{ bun: APART, chromium: [LOST_IN_BROADCAST, ...CLONED] },
  },
  Memory: {
    ...{ node: CLONED, bun: APART, deno: CLONED, firefox: CLONED },
    chromium: [LOST_IN_BROADCAST, ...CLONED],
    webkit: [{ channels: WITHIN_PAGE, as: ['refused'] }, ...APART],
  },
  CropTarget: { chromium: CLONED },
};
