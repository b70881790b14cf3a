/**
 * Everything that a page without a server has. It is handed from thread to thread: on a page from disk, each thread may
 * only use `blob:` addresses that it made. Apart from the platform: what starts guests has none.
 */
export interface PageParts {
  script: Blob;
  files: ReadonlyMap<string, Blob>;
}

/**
 * A worker of the page's script, which learns its role from the fragment, and gets the parts first. It is not a module:
 * a page that was opened from disk may not start one (seen in Chromium 156).
 */
export function startPart({ script, ...parts }: PageParts, name: string): Worker {
  const worker = new Worker(`${URL.createObjectURL(script)}#${name}`);
  worker.postMessage({ script, ...parts });
  return worker;
}
