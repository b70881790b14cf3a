import type { RuleBook } from '../../model/rule.ts';
import { lossy } from './lossy.ts';
import { platform } from './platform.ts';
import { rejected } from './rejected.ts';

/** What the HTML standard fixes for every engine. */
export const spec: RuleBook = { name: 'spec', rules: [...rejected, ...platform, ...lossy] };
