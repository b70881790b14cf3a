import type { Format, Reporter } from './index.ts';

/** One reporter without the others: measuring the width of text on a terminal alone takes 20 ms to load. */
const LOADERS: Record<Format, () => Promise<Reporter>> = {
  terminal: async () => (await import('./terminal/terminal.ts')).terminal,
  json: async () => (await import('./json.ts')).json,
  markdown: async () => (await import('./markdown/markdown.ts')).markdown,
  html: async () => (await import('./html/html.ts')).html,
};

export const loadReporter = (format: Format): Promise<Reporter> => LOADERS[format]();
