/**
 * Texts of the rule tables, by id. A Report holds ids only; an unknown id (from a report of a different version) is
 * printed instead of a text.
 */
import type { Channel, EngineName, LibraryName } from '../names.ts';
import type { Remedy } from '../rules/remedy.ts';
import type { PathRow, Rule } from '../rules/rule.ts';
import type { TrafficRule, TrafficWording } from '../vocabulary/traffic.ts';

export type RuleWording = Pick<Rule, 'title' | 'why' | 'fix' | 'fixIn' | 'source' | 'level' | 'remedies'>;

/** Advice of a rule for a message of this library, over this channel; null if nothing can be done. */
export const fixOf = (
  { fix, fixIn = {} }: Pick<Rule, 'fix' | 'fixIn'>,
  channel: Channel,
  library?: LibraryName,
): string | null => (library && fixIn[library]) ?? fixIn[channel] ?? fix ?? null;

export type PathWording = Pick<PathRow, 'title' | 'why'>;

type RemedyWording = Pick<Remedy, 'title' | 'forms'>;

export interface Wording {
  rules: Readonly<Record<string, RuleWording>>;
  paths: Readonly<Record<EngineName, Readonly<Record<string, PathWording>>>>;
  remedies: Readonly<Record<string, RemedyWording>>;
  traffic: Readonly<Partial<Record<TrafficRule, TrafficWording>>>;
  /** True with --emit: the run itself writes the code that is advised, so answers do not print the command for it. */
  isEmitted?: boolean;
}

/** Meaning of a word in the tool's output. */
export interface Meaning {
  word: string;
  /** "rule, slow", "error, exit code 3". */
  kind: string;
  text: string;
  source?: string;
  /** Lines of code, or of a command. */
  example?: readonly string[];
}
