import type { Remedy } from '../../model/rules/remedy.ts';

/** The page to play with has no database. */
export const blob: Remedy = {
  name: 'blob',
  title: 'put large bytes as a Blob',
  plans: () => [],
  apply: (value) => value,
  restore: (message) => message,
  code: () => ({ sender: '', receiver: '' }),
};
