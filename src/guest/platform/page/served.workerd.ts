import { bindings } from '../../../probe/workerd/bindings.ts';

const root = new URL(bindings.ROOT);

export const servedUrl = (path: string): string => new URL(path, root).href;

/** What is imported comes by the host's fallback service for modules (runtimes/workerd/module-server.ts). */
export const moduleUrl = (path: string): string => root.pathname + path;
