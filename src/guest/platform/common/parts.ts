/**
 * All that a page without a server has. It is handed from thread to thread: from disk each may only use `blob:` addresses of
 * its own.
 */
export interface PageParts {
  /** The page's one script. */
  script: Blob;
  /** What recipes name as files. */
  files: ReadonlyMap<string, Blob>;
}

/**
 * A worker of the page's script, which is told what it is by the fragment, and gets the parts first. Not a module: a page
 * that was opened from disk may not start one (seen in Chromium 156).
 */
export function startPart({ script, ...parts }: PageParts, name: string): Worker {
  const worker = new Worker(`${URL.createObjectURL(script)}#${name}`);
  worker.postMessage({ script, ...parts });
  return worker;
}

let here: PageParts | null = null;

/** To be called before a guest or a peer begins. */
export function setPageParts(parts: PageParts): void {
  here = parts;
}

export function pageParts(): PageParts {
  if (here === null) throw new Error('the parts of the page have not arrived');
  return here;
}
