import type { Kind } from '../../model/vocabulary/shape.ts';

/** Type of an object, as far as a check of internal slots can determine it. */
export interface BuiltInType {
  kind: Kind;
  /** Name of the constructor, if it does not follow from the kind. */
  tag?: string;
  transferable?: boolean;
  /** The object's web class has no clone steps, and this runtime clones it as an ordinary object. */
  web?: boolean;
}

/** Runs no user code. */
export interface TypeDetection {
  /** True for a Proxy, even if it is revoked. Called before anything else touches the object. */
  isProxy(value: object): boolean;
  of(value: object): BuiltInType;
  isNodeBuffer(view: object): boolean;
  /** True if the ArrayBuffer was marked as untransferable; absent if the runtime cannot check that. */
  isUntransferable?(buffer: object): boolean;
  /** True if it is known to be the memory of a WebAssembly.Memory. */
  isWasmMemory?(buffer: object): boolean;
  /** Bytes of the pool that small Node Buffers are cut from; 0 if there is no pool. */
  poolBytes: number;
}
