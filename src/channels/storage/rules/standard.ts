/** Platform objects that are written into a file. */

import { ANYWHERE } from '../../../engines/standard/common.ts';
import { EMPTIED_THERE, OF_PLATFORM, THERE } from '../../../engines/standard/platform.ts';
import { PLATFORM_POSTS } from '../../../engines/standard/platform-posts.ts';
import { type Rule, ruleTable } from '../../../model/rules/rule.ts';

const BLOBS: readonly string[] = ['Blob', 'File'];

const STORED = {
  ...ANYWHERE.rejected,
  scope: { channels: ['storage'] },
  fix: 'Write its data: await blob.bytes(), await crypto.subtle.exportKey(format, key), name and message.',
  source: 'seen on Node 20.20 to 26.10, Bun 1.2.20 to 1.4.5, Deno 2.5 to 2.9.6',
} as const satisfies Partial<Rule>;

export const stored = ruleTable(STORED, {
  'spec/stored-refused': {
    when: { ...THERE, posted: { by: PLATFORM_POSTS, all: ['refused'] } },
    title: 'platform object that cannot be written',
    why: 'It has no form outside of the program: v8.serialize throws for it.',
  },
  'spec/stored-unreadable': {
    when: { ...THERE, notTag: BLOBS, posted: { by: PLATFORM_POSTS, all: ['lost'] } },
    title: 'platform object that cannot be read back',
    why: 'Writing it does not throw; v8.deserialize then throws, and nothing of the file can be read.',
  },
  'spec/stored-blob-unreadable': {
    at: 'nested',
    when: { ...THERE, tag: BLOBS, posted: { by: PLATFORM_POSTS, all: ['lost'] } },
    title: 'blob inside a value that cannot be read back',
    why: 'Up to Bun 1.2.21 writing it does not throw; v8.deserialize then throws, and nothing of the file can be read. A Blob alone is read back.',
  },
  'spec/stored-emptied': {
    ...ANYWHERE.lossy,
    when: EMPTIED_THERE,
    loses: ['class', 'property', 'getter'],
    title: 'platform object that is written empty',
    why: 'Its internal state is unknown to v8.serialize: {} is read back, without an error.',
    remedies: ['plain'],
  },
  'spec/stored-as-error': {
    ...ANYWHERE.losesClass,
    when: { ...OF_PLATFORM, posted: { by: PLATFORM_POSTS, all: ['other-class'] } },
    title: 'error of the platform',
    why: 'A plain Error is read back, without its name and code.',
  },
});
