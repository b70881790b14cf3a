import type { Remedy } from '../../model/rules/remedy.ts';

/** The page to play with has one payload, and no sequence. */
export const patch: Remedy = {
  name: 'patch',
  title: 'send what has changed since the message before',
  plans: () => [],
  apply: (value) => value,
  restore: (message) => message,
  code: () => ({ sender: '', receiver: '' }),
};
