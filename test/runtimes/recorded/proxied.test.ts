/** Pages in browsers that are not driven. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { ALL_COUNTED, counted, EVERYTHING, lineOf, POLICY, threw } from './everything.ts';
import { recordedSite, withSite } from './site.ts';

/** The page itself restricts what it may load, and its frame asks for what nobody sees. */
const FILES = {
  ...EVERYTHING,
  '/': `<!-- --><!doctype html><html><head data-a=">"><meta http-equiv="content-security-policy" content="script-src 'self' blob: data:; connect-src 'self'"></head><body>${EVERYTHING['/']}`,
  '/frame.html': `<script>alert('stop'); if (confirm('?') || prompt('?')) throw 1;</script>${EVERYTHING['/frame.html']}`,
};
const headers = { 'content-security-policy': `${POLICY['content-security-policy']} 'unsafe-inline'` };

/** As without the recorder: of each error the first lines of its stack. WebKit's have no frame of a call in tail position. */
const STACKS = {
  firefox: [
    'DataCloneError finish/<@/main.js:* failure@/main.js:*',
    'SyntaxError finish/<@/main.js:* failure@/main.js:*',
    'TypeError get a@/main.js:* finish/<@/main.js:*',
  ],
  webkit: [
    'DataCloneError postMessage@[native code] failure@/main.js:*',
    'SyntaxError Worker@[native code] @/main.js:*',
    'TypeError a@/main.js:* postMessage@[native code]',
  ],
} as const;

for (const name of usually(['firefox'], ['webkit'])) {
  test(`${name}: all that a page and its workers post is counted`, { skip: missing(name) }, async () => {
    await withSite(FILES, headers, async (site) => {
      const recorded = await recordedSite(site, { browser: runtime(name) });
      const [counts, ...rest] = site.said;
      assert.match(counts!, /"data":2,"once":20\} false,true$/);
      const stacks = rest.slice(0, 3).map((one) =>
        one
          .replaceAll(/:\d+:\d+/g, ':*')
          .split('\n')
          .slice(0, 2)
          .join(' '),
      );
      assert.deepEqual(stacks, STACKS[name]);
      assert.deepEqual([rest[3], rest.at(-1)], ['true Worker 1 1', 'END']);
      assert.deepEqual(
        [recorded.end, recorded.gaps, recorded.header.gaps, recorded.header.runtime?.name],
        ['SIGINT', [], [], name],
      );
      assert.deepEqual(counted(recorded), ALL_COUNTED);
      assert.deepEqual(threw(recorded), [
        '1 of 1 post threw DataCloneError: $ is a function',
        '1 of 1 post threw TypeError',
      ]);
      assert.ok(recorded.messages.every(({ estimated }) => !estimated));
      const site1 = recorded.messages.find(({ count }) => count === 30)?.site.user;
      assert.deepEqual([site1?.file, site1?.line], ['main.js', lineOf('i < 30')]);
      assert.ok(!/secret|valued|x{20}/.test(recorded.written), 'a value was written');
    });
  });
}
