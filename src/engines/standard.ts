import { database } from '../channels/indexeddb/rules/standard.ts';
import { serviceWorker } from '../channels/service-worker/rules/standard.ts';
import { stored } from '../channels/storage/rules/standard.ts';
import type { RuleBook } from '../model/rules/rule.ts';
import { json } from './standard/json.ts';
import { listed } from './standard/listed.ts';
import { errors, lossy } from './standard/lossy.ts';
import { platform } from './standard/platform.ts';
import { platformObjects } from './standard/platform-objects.ts';
import { memory, rejected } from './standard/rejected.ts';

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
