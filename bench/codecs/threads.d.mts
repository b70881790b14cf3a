/** The other side of a thread, in each runtime. */
interface Side {
  post(message: unknown, list: readonly ArrayBuffer[]): void;
  listen(listener: (message: unknown) => void): void;
}

export function openWorker(url: URL): Side & { end(): unknown };
export function openParent(): Side;
