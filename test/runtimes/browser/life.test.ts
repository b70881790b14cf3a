/** What becomes of guests in real browsers whose page dies, hangs or is left. Linux: elsewhere no process can be told apart. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { bundleForPage } from '../../../src/app/sources/bundle.ts';
import type { BrowserName } from '../../../src/model/names.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { runtimeDriver } from '../../../src/runtimes/driver.ts';
import { HOST_MARK, killAll } from '../../../src/runtimes/process/supervisor.ts';
import { browserProcesses, isOfPage, until } from '../../support/child-processes.ts';
import { TEST_BROWSERS } from '../../support/fetched.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { onlyInWhole } from '../../support/whole.ts';

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
