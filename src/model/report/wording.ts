/**
 * The texts of the rule tables, by id. A Report holds ids only; an id that is not here (a report of another
 * version) is printed as the id.
 */
import type { EngineName, Level, LibraryName } from '../names.ts';
import type { TrafficRule } from '../vocabulary/traffic.ts';

/** Texts of a rule's row; see Rule. */
export interface RuleWording {
  title: string;
  why: string;
  fix?: string;
  fixIn?: Readonly<Partial<Record<LibraryName, string>>>;
  source: string;
  level: Level;
  /** Remedies that answer it, in the order to try. */
  remedies?: readonly string[];
}

export interface PathWording {
  title: string;
  why: string;
}

export interface RemedyWording {
  title: string;
  forms?: Readonly<Record<string, string>>;
}

/** Texts of what is wrong with how messages are posted. Numbers of the finding stand for {count}, {of} and {ns} of the title. */
export interface TrafficWording extends Required<Omit<RuleWording, 'remedies' | 'fixIn'>> {
  /** The fix, for a table. */
  short: string;
}

export interface Wording {
  rules: Readonly<Record<string, RuleWording>>;
  paths: Readonly<Record<EngineName, Readonly<Record<string, PathWording>>>>;
  remedies: Readonly<Record<string, RemedyWording>>;
  traffic: Readonly<Partial<Record<TrafficRule, TrafficWording>>>;
}
