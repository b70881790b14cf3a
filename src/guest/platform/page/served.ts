/** The folder that is served to this guest; the bundles of the page and its workers lie in `guest/` below it. */
const root = new URL('../', import.meta.url);

export const servedUrl = (path: string): string => new URL(path, root).href;

/** What is imported. */
export const moduleUrl = servedUrl;
