/** Objects of the platform that are written into a file. */
import type { Rule, When } from '../../model/rules/rule.ts';
import { ANYWHERE } from './common.ts';
import { EMPTIED_HERE } from './platform.ts';
import { STORED_POSTS } from './stored-posts.ts';

const by = STORED_POSTS;
const OBJECT = { kind: 'platform' } as const satisfies When;
/** A class of the user's that has such a name is a subclass of Error. */
const ERROR = { kind: 'error', none: ['subclass'] } as const satisfies When;

const BLOBS: readonly string[] = ['Blob', 'File'];

const STORED = {
  scope: { channels: ['storage'] },
  fix: 'Write its data: await blob.bytes(), await crypto.subtle.exportKey(format, key), name and message.',
  source: 'seen on Node 20.20 to 26.10, Bun 1.2.20 to 1.4.5, Deno 2.5 to 2.9.6',
} as const satisfies Partial<Rule>;

export const stored = [
  {
    ...ANYWHERE.rejected,
    ...STORED,
    id: 'spec/stored-refused',
    when: { ...OBJECT, posted: { by, all: ['refused'] } },
    title: 'platform object that cannot be written',
    why: 'It has no form outside of the program: v8.serialize throws for it.',
  },
  {
    ...ANYWHERE.rejected,
    ...STORED,
    id: 'spec/stored-unreadable',
    when: { ...OBJECT, notTag: BLOBS, posted: { by, all: ['lost'] } },
    title: 'platform object that cannot be read back',
    why: 'Writing it does not throw; v8.deserialize then throws, and nothing of the file can be read.',
  },
  {
    ...STORED,
    level: 'rejected',
    at: 'nested',
    id: 'spec/stored-blob-unreadable',
    when: { ...OBJECT, tag: BLOBS, posted: { by, all: ['lost'] } },
    title: 'blob inside a value that cannot be read back',
    why: 'Up to Bun 1.2.21 writing it does not throw; v8.deserialize then throws, and nothing of the file can be read. A Blob alone is read back.',
  },
  {
    ...ANYWHERE.lossy,
    ...STORED,
    id: 'spec/stored-emptied',
    when: [
      { ...OBJECT, posted: { by, all: ['emptied'] } },
      { ...EMPTIED_HERE, posted: { by, all: ['emptied'] } },
    ],
    loses: ['class', 'property', 'getter'],
    title: 'platform object that is written empty',
    why: 'Its internal state is unknown to v8.serialize: {} is read back, without an error.',
    remedies: ['plain'],
  },
  {
    ...ANYWHERE.lossy,
    ...STORED,
    id: 'spec/stored-as-error',
    when: { ...ERROR, posted: { by, all: ['other-class'] } },
    loses: 'class',
    title: 'error of the platform',
    why: 'A plain Error is read back, without its name and code.',
  },
] as const satisfies readonly Rule[];
