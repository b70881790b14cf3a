import { byContent, isLatin1 } from '../../core/describe/assumed-storage.ts';
import { STORED } from '../../core/describe/inspect/flags.ts';
import type { Storage } from '../../core/describe/inspect/probe.ts';

const UNKNOWN = 0;

/**
 * Nothing tells a page whether Latin-1 text is stored with one byte a unit. JSON.parse makes it so; other text may come from
 * a TextDecoder or `fetch().text()`, which leave it wide.
 */
export const stringWidth = (fromJson = false): Storage['string'] =>
  fromJson ? byContent : (text) => (isLatin1(text) ? UNKNOWN : STORED['two-byte']);
