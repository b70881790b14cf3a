/**
 * What becomes of objects of the platform that are put into IndexedDB, as it was seen: Chromium 143, Firefox 153, WebKitGTK 2.50.
 * Nothing is moved into a database, and only pages have one.
 */
import type { PlatformPost, PlatformPosts, PlatformTable } from '../../model/rules/platform-posts.ts';

const CLONED = [{ as: ['cloned'] }] as const satisfies readonly PlatformPost[];
const REFUSED = [{ as: ['refused'] }] as const satisfies readonly PlatformPost[];
const APART = [{ as: ['cloned', 'apart'] }] as const satisfies readonly PlatformPost[];

const everywhere = { chromium: CLONED, firefox: CLONED, webkit: CLONED } as const satisfies PlatformPosts;
const apart = { chromium: CLONED, firefox: CLONED, webkit: APART } as const satisfies PlatformPosts;
/** Those that are in memory only: frames, code, ports. */
const refused = { chromium: REFUSED, firefox: REFUSED, webkit: REFUSED } as const satisfies PlatformPosts;
/** Other builds of the browser than the one that was asked have the class. */
const exceptWebKit = { chromium: REFUSED, firefox: REFUSED } as const satisfies PlatformPosts;
const stored = { chromium: CLONED, firefox: CLONED } as const satisfies PlatformPosts;

export const DATABASE_POSTS: PlatformTable = {
  Blob: apart,
  File: apart,
  FileList: apart,
  DOMException: apart,
  QuotaExceededError: { chromium: [{ versions: '<144.0.0', as: ['refused'] }] },
  WebTransportError: exceptWebKit,
  GPUPipelineError: { chromium: REFUSED },
  ImageData: everywhere,
  ImageBitmap: { chromium: CLONED, firefox: REFUSED, webkit: APART },
  OffscreenCanvas: refused,
  MessagePort: refused,
  DOMPoint: apart,
  DOMPointReadOnly: apart,
  DOMRect: apart,
  DOMRectReadOnly: apart,
  DOMQuad: apart,
  DOMMatrix: apart,
  DOMMatrixReadOnly: apart,
  VideoFrame: refused,
  AudioData: refused,
  EncodedVideoChunk: refused,
  EncodedAudioChunk: refused,
  RTCCertificate: stored,
  RTCDataChannel: exceptWebKit,
  MediaStreamTrack: refused,
  CanvasCaptureMediaStreamTrack: { chromium: REFUSED, webkit: REFUSED },
  MediaSourceHandle: { chromium: REFUSED },
  FileSystemFileHandle: stored,
  FileSystemDirectoryHandle: stored,
  CryptoKey: apart,
  ReadableStream: refused,
  WritableStream: refused,
  TransformStream: refused,
  Module: refused,
  Memory: refused,
  CropTarget: { chromium: REFUSED },
};
