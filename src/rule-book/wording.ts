import type { Wording } from '../model/report/wording.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { TRAFFIC_WORDS } from '../model/vocabulary/traffic.ts';
import { REMEDIES } from '../remedies/index.ts';
import { PATH_WORDS, RULE_WORDS } from './rule-book.ts';

/** Returns texts of the rule tables and remedies for the reporters, which get only ids. */
export const reportWords = (): Wording => ({
  rules: RULE_WORDS,
  paths: PATH_WORDS,
  remedies: Object.fromEntries(
    Object.values<Remedy>(REMEDIES).map(({ name, title, forms = {} }) => [name, { title, forms }]),
  ),
  traffic: TRAFFIC_WORDS,
});
