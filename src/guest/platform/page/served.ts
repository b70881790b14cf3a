/** The folder that is served to this guest; the bundles of the page and its workers lie in `guest/` below it. */
const root = new URL('../', import.meta.url);

/** Address of a file of a recipe, by the key that the host made for it. */
export const addressOf = (key: string): string => new URL(`files/${key}`, root).href;

/** Answers one question about the memory of this page's process. */
export const memoryAddressOf = (question: string): string => new URL(`memory/${question}`, root).href;

/** Address of a frame's document. */
export const frameAddressOf = (entry: string): string => new URL(`frame/${entry}`, root).href;

/** Address of a module of the user's, bundled for pages. */
export const moduleAddressOf = (key: string): string => new URL(`modules/${key}.mjs`, root).href;
