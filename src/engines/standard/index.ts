import type { RuleBook } from '../../model/rules/rule.ts';
import { database } from './database.ts';
import { errors } from './errors.ts';
import { json } from './json.ts';
import { lossy } from './lossy.ts';
import { memory } from './memory.ts';
import { platform } from './platform.ts';
import { platformObjects } from './platform-objects.ts';
import { rejected } from './rejected.ts';
import { stored } from './stored.ts';

/**
 * What the HTML standard fixes for every engine. The book is named `spec`, and so are its rule ids (`spec/function`): they
 * are stored in reports and baselines.
 */
export const standard: RuleBook = {
  name: 'spec',
  rules: [
    ...rejected,
    ...platform,
    ...platformObjects,
    ...lossy,
    ...memory,
    ...errors,
    ...json,
    ...stored,
    ...database,
  ],
};
