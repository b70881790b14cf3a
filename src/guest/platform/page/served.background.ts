/** The folder that is served to this guest, as the manifest of its extension tells it. */
interface Extension {
  runtime: { getManifest(): { homepage_url: string } };
}

const { chrome } = globalThis as unknown as { chrome: Extension };
const root = new URL(chrome.runtime.getManifest().homepage_url);

export const servedUrl = (path: string): string => new URL(path, root).href;

/** What is imported. */
export const moduleUrl = servedUrl;
