/**
 * Outcomes of copying platform objects between the worlds of a page by contextBridge, as observed on Electron 33.2. The
 * pages of Electron do not have any other of these classes.
 */
import type { PlatformPosts, PlatformTable } from '../../../model/rules/platform-posts.ts';

const HANDED_OVER = { electron: [{ as: ['cloned'] }] } as const satisfies PlatformPosts;
const EMPTIED = { electron: [{ as: ['emptied'] }] } as const satisfies PlatformPosts;
const REFUSED = { electron: [{ as: ['refused'] }] } as const satisfies PlatformPosts;

export const BRIDGE_POSTS: PlatformTable = {
  Blob: HANDED_OVER,
  File: HANDED_OVER,
  FileList: EMPTIED,
  DOMException: EMPTIED,
  QuotaExceededError: {},
  WebTransportError: {},
  GPUPipelineError: {},
  ImageData: EMPTIED,
  ImageBitmap: EMPTIED,
  OffscreenCanvas: EMPTIED,
  MessagePort: EMPTIED,
  DOMPoint: EMPTIED,
  DOMPointReadOnly: EMPTIED,
  DOMRect: EMPTIED,
  DOMRectReadOnly: EMPTIED,
  DOMQuad: EMPTIED,
  DOMMatrix: EMPTIED,
  DOMMatrixReadOnly: EMPTIED,
  VideoFrame: EMPTIED,
  AudioData: EMPTIED,
  EncodedVideoChunk: EMPTIED,
  EncodedAudioChunk: EMPTIED,
  RTCCertificate: EMPTIED,
  RTCDataChannel: EMPTIED,
  MediaStreamTrack: EMPTIED,
  CanvasCaptureMediaStreamTrack: EMPTIED,
  MediaSourceHandle: {},
  FileSystemFileHandle: {},
  FileSystemDirectoryHandle: {},
  CryptoKey: {},
  ReadableStream: EMPTIED,
  WritableStream: EMPTIED,
  TransformStream: EMPTIED,
  Module: {},
  Memory: REFUSED,
  CropTarget: {},
};
