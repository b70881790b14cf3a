import type { RuleBook } from '../../model/rules/rule.ts';
import { json } from './json.ts';
import { listed } from './listed.ts';
import { errors, lossy } from './lossy.ts';
import { platform } from './platform.ts';
import { platformObjects } from './platform-objects.ts';
import { memory, rejected } from './rejected.ts';
import { serviceWorker } from './service-worker.ts';
import { database, stored } from './stored.ts';

/**
 * Rules that the HTML standard fixes for every engine. The book is named `spec`, and so are its rule ids
 * (`spec/function`): they are stored in reports and baselines.
 */
export const standard: RuleBook = {
  name: 'spec',
  rules: [
    ...rejected,
    ...listed,
    ...platform,
    ...platformObjects,
    ...lossy,
    ...memory,
    ...errors,
    ...json,
    ...stored,
    ...database,
    ...serviceWorker,
  ],
};
