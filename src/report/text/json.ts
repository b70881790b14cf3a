/** Documents as JSON: complete, and safe to print on a terminal and in a CI log. */
import { visibleJson } from './escape.ts';

export const escapedJson = (value: unknown): string => `${visibleJson(JSON.stringify(value, null, 2))}\n`;

export const plainJson = (value: unknown): string => visibleJson(JSON.stringify(value));
