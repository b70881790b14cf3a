/** Browsers that open the link of `-r url`, on this machine and by its address in the network. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserName } from '../../../src/model/names.ts';
import type { FoundRuntimes } from '../../../src/model/run/runtime.ts';
import type { AnswerTo } from '../../../src/model/wire/wire.ts';
import { findRuntimes } from '../../../src/runtimes/find/find.ts';
import { killAll, type ProcessGroup } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { measureRequest, ORIGINAL } from '../../guest/measure/requests.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing } from '../../support/runtimes.ts';
import { networkAddress, visit } from '../../support/visiting-browser.ts';
import { usually } from '../../support/whole.ts';

const folder = new PayloadFolder();
after(killAll);

const TIMEOUT_MS = 60_000;
const recipe = folder.json('row', { id: 1, tags: ['a', 'b'], at: { x: 1 / 3 } });

interface Visit extends FoundRuntimes {
  url: string;
  browsers: ProcessGroup[];
}

/** These browsers open one link, one after the other. */
async function visited(names: readonly BrowserName[], listen: string | null = null): Promise<Visit> {
  const browsers: ProcessGroup[] = [];
  let url = '';
  const onLink = (link: { url: string }) => {
    url = link.url;
    for (const name of names) browsers.push(visit(name, url));
  };
  const found = await findRuntimes(Array(names.length).fill('url'), {
    ...{ cwd: folder.path, env: process.env, link: { listen, timeoutMs: TIMEOUT_MS, onLink } },
  });
  return { ...found, url, browsers };
}

async function leave({ browsers }: Visit): Promise<void> {
  for (const browser of browsers) browser.kill();
  await Promise.all(browsers.map(({ ended }) => ended));
}

const CHANNELS = usually(['worker', 'structured-clone'], ['message-port', 'broadcast']);
const address = networkAddress();

for (const name of usually<BrowserName>(['chromium'], ['webkit', 'firefox'])) {
  const skip = missing(name) || (address === null ? 'this machine has no address in a network' : false);
  test(`${name}: a page without isolation measures round trips, and no time is 0`, { skip }, async () => {
    const visit = await visited([name], address);
    const [browser] = visit.found;
    assert.ok(browser);
    assert.deepEqual([browser.name, browser.from, browser.link], [name, 'link', 'network']);
    for (const channel of CHANNELS) {
      const request = measureRequest(recipe, { channel, maxRounds: 9 });
      const measured: AnswerTo<'measure'> = await folder.ask(browser, request);
      assert.equal(measured.rounds, 9, channel);
      assert.ok(measured.page && measured.page.clockStepNs >= 20_000 && !measured.page.sharesMemory);
      for (const { variant, error, roundTrip, send, receive, messages = 1 } of measured.sets) {
        const what = `${channel} ${variant}`;
        assert.equal(error, null, what);
        assert.equal(roundTrip.length, 9, what);
        assert.ok(Math.min(...roundTrip) > 0, `${what} ${roundTrip}`);
        assert.ok(messages > 1, what);
        // One call of structuredClone is both.
        assert.equal(send.length, channel === 'structured-clone' ? 9 : 0, what);
        assert.ok(channel !== 'structured-clone' || median(send) > 0, what);
        assert.equal(receive.length, 0, what);
      }
    }
    await assert.rejects(
      folder.ask(browser, { type: 'memory', recipe, channel: 'worker', variant: ORIGINAL, messages: 2 }),
      /not isolated/,
    );
    await leave(visit);
  });
}

for (const name of usually<BrowserName>(['chromium'], TEST_BROWSERS.slice(1))) {
  test(`${name}: a browser that sleeps or leaves fails its guest; on this machine its pages are isolated`, {
    skip: missing(name),
  }, async () => {
    const visit = await visited([name]);
    const [browser] = visit.found;
    assert.ok(browser);
    assert.equal(browser.link, 'this-machine');
    const request = measureRequest(recipe, { maxRounds: 9 });
    // WebKit shares memory only when it is told to.
    const { page, sets } = await folder.ask(browser, request);
    if (name !== 'webkit') assert.ok(page?.sharesMemory);
    assert.ok(sets.every(({ error, roundTrip }) => error === null && Math.min(...roundTrip) > 0));
    const guest = await folder.startGuest(browser);
    visit.browsers[0]!.pause();
    await assert.rejects(guest.ask(request, { deadlineMs: 1000 }), { code: 'guest-timeout' });
    await assert.rejects(folder.ask(browser, request), { code: 'browser-left' });
    await leave(visit);
  });
}
