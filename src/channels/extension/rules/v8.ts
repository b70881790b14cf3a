/** Messages from a page of a Chromium extension to its service worker: JSON text, or clones if the manifest says so. */

import { AT_ROOT, TOO_DEEP } from '../../../engines/standard/common.ts';
import { type Rule, ruleTable } from '../../../model/rules/rule.ts';

const CHROMIUM = { runtimes: { chromium: '*' } } as const;
const MESSAGING = 'Chromium extensions/renderer/api/messaging/messaging_util.cc';
const SEEN = 'seen on Chromium 156';

const AS_JSON = {
  ...AT_ROOT.rejected,
  scope: { ...CHROMIUM, channels: ['extension'] },
  source: `${MESSAGING}; ${SEEN}`,
} as const satisfies Partial<Rule>;

export const extension = ruleTable(AS_JSON, {
  'v8/extension-root': {
    when: { kind: ['function', 'symbol'] },
    title: 'message without JSON text',
    why: 'It has no JSON text: the post throws an error, "Could not serialize message".',
    fix: 'Send a name that the other side looks up.',
  },
  'v8/extension-undefined': {
    ...AT_ROOT.lossy,
    when: { kind: 'undefined' },
    loses: 'value',
    title: 'undefined as the message',
    why: 'JSON has no undefined: it arrives as null.',
  },
  'v8/extension-deep-text': {
    ...TOO_DEEP,
    when: { payloadDepthFrom: 6000 },
    why: 'JSON.stringify works by recursion on the stack: somewhere beyond 4,000 levels of arrays and 5,000 of objects the post throws an error, "Could not serialize message".',
    source: `V8 src/json/json-stringifier.cc STACK_CHECK; ${SEEN} (4,000 and 5,000 arrive, 5,000 and 6,000 do not)`,
  },
  'v8/extension-too-large': {
    when: { payloadJsonFrom: 2 ** 26 },
    also: [
      {
        at: 'any',
        when: { kind: ['string', 'arraybuffer', 'typedarray', 'dataview'], bytesFrom: 2 ** 26 },
        scope: { ...CHROMIUM, channels: ['extension-clone'] },
      },
    ],
    title: 'message of more than 64 MiB',
    why: 'A message of an extension has at most 64 MiB: the post throws an error, "Message exceeded maximum allowed size of 64MiB".',
    fix: 'Send parts of it, one after the other, or keep it in IndexedDB and send its key.',
    source: `${MESSAGING} kMaxMessageLength; ${SEEN}`,
  },
});
