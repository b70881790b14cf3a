/** What a reporter is given besides the Report: what the reader's screen can show, and the words behind the ids. */
import type { EngineName, Level } from './words.ts';

export interface RenderOptions {
  /** ANSI colours. */
  color: boolean;
  /** Width of the terminal in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, what payloads say included. */
  unicode: boolean;
}

/** What a rule's row says; see Rule. */
export interface RuleWording {
  title: string;
  why: string;
  fix?: string;
  source: string;
  level: Level;
  /** Rewrites that answer it, in the order to try. */
  remedies?: readonly string[];
}

export interface PathWording {
  title: string;
  why: string;
}

export interface RemedyWording {
  title: string;
  loses: readonly string[];
}

/**
 * The words of the tables, by id. A Report holds ids only, so that it can be read years later; an id that is not here
 * (a report of another version) is shown as it is.
 */
export interface Wording {
  rules: Readonly<Record<string, RuleWording>>;
  paths: Readonly<Record<EngineName, Readonly<Record<string, PathWording>>>>;
  remedies: Readonly<Record<string, RemedyWording>>;
}
