/** The folder that is served to this guest; the bundles of the page and its workers lie in `guest/` below it. */
const { chrome } = globalThis as { chrome?: { runtime?: { getManifest?(): { homepage_url: string } } } };
/** A service worker is a file of its extension, whose manifest tells the folder. */
const root = new URL(chrome?.runtime?.getManifest?.().homepage_url ?? new URL('../', import.meta.url));

export const servedUrl = (path: string): string => new URL(path, root).href;
