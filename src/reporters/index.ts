import type { RenderOptions } from '../model/render-options.ts';
import type { Report } from '../model/report.ts';
import type { Wording } from '../model/wording.ts';
import { html } from './html/html.ts';
import { json } from './json.ts';
import { markdown } from './markdown/markdown.ts';
import { terminal } from './terminal/terminal.ts';

export { terminalMachine, terminalPayload } from './terminal/terminal.ts';

/** Pure: nothing is written, and nothing is read but the arguments. */
export type Reporter = (report: Report, look: RenderOptions, words: Wording) => string;

export const FORMATS = ['terminal', 'json', 'markdown', 'html'] as const;
export type Format = (typeof FORMATS)[number];

export const REPORTERS = { terminal, json, markdown, html } as const satisfies Record<Format, Reporter>;
