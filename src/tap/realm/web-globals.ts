/** Globals of web runtimes that the types of Node do not have. */

export type WorkerClass = new (...args: never) => object;

/** The class of web workers. */
export const { Worker: WebWorker } = globalThis as typeof globalThis & {
  Worker: WorkerClass & { prototype: object };
};
