import type { RuleBook } from '../model/rule.ts';
import { lossy } from './spec/lossy.ts';
import { platform } from './spec/platform.ts';
import { rejected } from './spec/rejected.ts';

/** What the HTML standard fixes for every engine. */
export const spec: RuleBook = { name: 'spec', rules: [...rejected, ...platform, ...lossy] };
