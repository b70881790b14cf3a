/**
 * What becomes of guests in real browsers whose page dies, hangs or is left, and of browsers that come by the link of `-r url`.
 * The former on Linux: elsewhere no process can be told apart.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import type { BrowserName } from '../../../src/model/names.ts';
import type { FoundRuntimes, Guest } from '../../../src/model/run/runtime.ts';
import type { AnswerTo } from '../../../src/model/wire/wire.ts';
import { runtimeDriver } from '../../../src/runtimes/driver.ts';
import { findRuntimes } from '../../../src/runtimes/find/find.ts';
import { HOST_MARK, killAll, type ProcessGroup } from '../../../src/runtimes/process/supervisor.ts';
import { median } from '../../../src/stats/intervals/intervals.ts';
import { measureRequest, ORIGINAL } from '../../guest/measure/requests.ts';
import { browserProcesses, isOfPage, until } from '../../support/child-processes.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { networkAddress, visit } from '../../support/visiting-browser.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';

const folder = new PayloadFolder();

const recipe = folder.json('numbers', [...Array(50_000).keys()]);

const TIMEOUT_MS = 30_000;
const skip = (name: BrowserName) =>
  process.platform === 'linux' ? missing(name) : 'processes are told apart on Linux only';

const started = (name: BrowserName, timeoutMs = TIMEOUT_MS): Promise<Guest> =>
  runtimeDriver(bundleForPage).start(runtime(name), { timeoutMs, cwd: folder.path });

const describe = (guest: Guest, deadlineMs = TIMEOUT_MS, described = recipe) =>
  guest.ask({ type: 'describe', recipe: described, channel: 'worker', confirm: false }, { deadlineMs });

const pagePids = () => browserProcesses(HOST_MARK).filter(isOfPage);

/** The process that works when the guest works. Others are busy for a while after the start of a browser. */
async function pidOf(guest: Guest): Promise<number> {
  for (let earlier = 0; ; ) {
    const before = new Map(pagePids().map(({ pid, ticks }) => [pid, ticks]));
    for (let i = 0; i < 8; i++) await describe(guest);
    const worked = pagePids().map(({ pid, ticks }) => ({ pid, ticks: ticks - (before.get(pid) ?? 0) }));
    const [first, second] = worked.sort((a, b) => b.ticks - a.ticks);
    const isClear = first !== undefined && first.ticks >= 3 && (second?.ticks ?? 0) * 4 < first.ticks;
    if (isClear && earlier === first.pid) return first.pid;
    earlier = isClear ? first.pid : 0;
  }
}

const profiles = () =>
  readdirSync(tmpdir()).filter(
    (name) => name.startsWith('clone-prof-browser-') && name.includes(`-${process.pid}-`),
  );

async function nothingLeft(): Promise<void> {
  killAll();
  await until(
    () => profiles().length === 0 && browserProcesses(HOST_MARK).length === 0,
    () => [...profiles(), ...browserProcesses(HOST_MARK).map(({ command }) => command)].join('\n'),
  );
}

/** The leaders of their groups. */
function killBrowser(): void {
  for (const { pid, group } of browserProcesses(HOST_MARK)) if (pid === group) process.kill(pid, 'SIGKILL');
}

const failure = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    ({ code }) => code,
  );

/** Else a page may take all memory of the machine before its deadline: `bytes` more than it has. */
function limitMemory(bytes: number): void {
  for (const { pid } of pagePids()) {
    const [, kb] = /^VmData:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    execFileSync('prlimit', ['--pid', `${pid}`, `--data=${Number(kb) * 1024 + bytes}`]);
  }
}

const LOOPS = folder.value('() => { for (;;); }');
const FILLS = folder.value('() => { for (const kept = []; ; ) kept.push(new Array(1e6).fill(0.5)); }');

for (const name of TEST_BROWSERS) {
  // The others have it in common with a page whose process is killed.
  const unusual = skip(name) || (name !== 'chromium' && onlyInWhole);

  /** After each failure the next one answers, and is what fails then. */
  let next: Guest;
  const nextAnswers = async () => {
    next = await started(name);
    assert.equal(await failure(describe(next)), 'answered');
  };

  const lives = (what: string, body: () => Promise<void>) =>
    test(`${name}: ${what}`, { skip: unusual }, body);

  lives('a browser that ends at its start is started once more', async () => {
    const { binary, ...found } = runtime(name);
    const script = `[ -e started ] && exec '${binary}' "$@"; : > '${folder.path}/started'; exit 1`;
    const ends = folder.file('ends-first', `#!/bin/sh\ncd '${folder.path}'\n${script}\n`);
    chmodSync(ends, 0o755);
    const options = { timeoutMs: TIMEOUT_MS, cwd: folder.path };
    const guest = await runtimeDriver(bundleForPage).start({ ...found, binary: ends }, options);
    assert.equal(await failure(describe(guest)), 'answered');
    await guest.close();
    killBrowser();
  });

  lives('user code that never ends fails at the deadline', async () => {
    await nextAnswers();
    assert.equal(await failure(describe(next, 500, LOOPS)), 'guest-timeout');
    await nextAnswers();
  });

  lives(
    'each guest has a separate process in the same browser; killing the process fails that guest alone',
    async () => {
      const pid = await pidOf(next);
      await next.close();
      await nextAnswers();
      const killed = await pidOf(next);
      assert.notEqual(killed, pid);
      process.kill(killed, 'SIGKILL');
      assert.equal(await failure(describe(next)), 'guest-crashed');
      await nextAnswers();
    },
  );

  lives('a page that hangs is ended at the deadline', async () => {
    const pid = await pidOf(next);
    const answer = failure(describe(next, 1500, LOOPS));
    process.kill(pid, 'SIGSTOP');
    assert.equal(await answer, 'guest-timeout');
    await nextAnswers();
  });

  lives('user code that takes all memory fails its guest alone', async () => {
    limitMemory(512e6);
    // Chromium ends the page; Firefox and WebKit throw, where the memory that is left lets them.
    const code = await failure(describe(next, TIMEOUT_MS, FILLS));
    assert.ok(['guest-crashed', 'factory-threw', 'guest-timeout'].includes(code), code);
    await next.close();
    await nextAnswers();
  });

  lives('killing the browser fails its current guest, and no guest if it was idle', async () => {
    const answer = failure(describe(next, TIMEOUT_MS, LOOPS));
    killBrowser();
    assert.equal(await answer, 'guest-crashed');
    await nextAnswers();
    await next.close();
    killBrowser();
    await nextAnswers();
  });

  // One browser for all of them but the last: a start takes seconds.
  lives('nothing is left of pages and browsers that ended so', nothingLeft);
}

// Browsers that open the link, on this machine and by its address in the network.

after(killAll);

const LINK_MS = 60_000;
const row = folder.json('row', { id: 1, tags: ['a', 'b'], at: { x: 1 / 3 } });

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
    ...{ cwd: folder.path, env: process.env, link: { listen, timeoutMs: LINK_MS, onLink } },
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
      const request = measureRequest(row, { channel, maxRounds: 9 });
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
      folder.ask(browser, { type: 'memory', recipe: row, channel: 'worker', variant: ORIGINAL, messages: 2 }),
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
    const request = measureRequest(row, { maxRounds: 9 });
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
