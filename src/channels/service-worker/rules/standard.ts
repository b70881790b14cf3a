/** Messages between a page and its service worker, which may run in another process. */

import { ANYWHERE } from '../../../engines/standard/common.ts';
import { ruleTable } from '../../../model/rules/rule.ts';

export const serviceWorker = ruleTable(ANYWHERE.slow, {
  'spec/transfer-to-service-worker': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
    scope: { runtimes: { chromium: '*', firefox: '*' }, channels: ['service-worker'], transferring: true },
    title: 'transfer to a service worker',
    why: 'The worker may run in another process, so the bytes of a transferred buffer are copied, in the time that they take without the list, and the sender loses it all the same.',
    fix: 'Leave the buffer out of the list, or post a Blob, whose bytes are read where they are needed.',
    source:
      'seen on Chromium 143 and Firefox 153 (8 MB: 115 ms listed and 108 ms not, 207 ms and 202 ms; 1 ms to a Worker)',
  },
});
