/**
 * The texts of the rule tables, by id. A Report holds ids only; an id that is not here (a report of another
 * version) is printed as the id.
 */
import type { EngineName } from '../names.ts';
import type { Remedy } from '../rules/remedy.ts';
import type { PathRow, Rule } from '../rules/rule.ts';
import type { TrafficRule } from '../vocabulary/traffic.ts';

export type RuleWording = Pick<Rule, 'title' | 'why' | 'fix' | 'fixIn' | 'source' | 'level' | 'remedies'>;

export type PathWording = Pick<PathRow, 'title' | 'why'>;

type RemedyWording = Pick<Remedy, 'title' | 'forms'>;

/** Texts of what is wrong with how messages are posted. Numbers of the finding stand for {count}, {of} and {ns} of the title, and words such as {messages} and {were} are as these demand. */
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
