/** `-r url` with real browsers that open its link. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import type { BrowserName } from '../../../src/model/names.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { missing } from '../../support/runtimes.ts';
import { type Ended, endOf, startCli } from '../../support/spawn-cli.ts';
import { assertTimed } from '../../support/timed.ts';
import { networkAddress, visit } from '../../support/visiting-browser.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';

after(() => killAll());

const validate = new Ajv2020({ allErrors: true }).compile(jsonSchema('report.schema.json'));

const ORDERS = 'fixtures/orders.json';
/** Of a text few rewrites are tried. */
const ARTICLE = 'fixtures/article.txt';

/** Calls `open` with the link that it prints. */
function linked(args: readonly string[], open: (url: string, tool: ChildProcess) => void): Promise<Ended> {
  const tool = startCli(['analyze', ...args]);
  let said = '';
  tool.stderr?.on('data', (piece) => {
    const before = said;
    said += piece;
    const link = /to open (http:\S+) /;
    const found = link.exec(said);
    if (found && !link.test(before)) open(found[1]!, tool);
  });
  return endOf(tool);
}

const NAMES = usually<BrowserName>(['chromium'], ['firefox']);
/** A second one of the same kind is another browser too. */
const VISITORS = NAMES.length > 1 ? NAMES : [...NAMES, ...NAMES];

test('two browsers open the same link: each has a run, next to the runs of other runtimes', {
  skip: missing(...NAMES),
}, async () => {
  const args = ['-r', 'url', 'node', '-r', 'url', '-b', '100ms', '-f', 'json', '--timeout', '120s'];
  const browsers: ReturnType<typeof visit>[] = [];
  const { code, stdout, stderr } = await linked([ARTICLE, ...args], (url) => {
    for (const name of VISITORS) browsers.push(visit(name, url));
  });
  for (const browser of browsers) browser.kill();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /for 2 browsers on this machine/);
  const report = JSON.parse(stdout) as Report;
  assert.equal(validate(report), true, JSON.stringify(validate.errors));
  const { payloads } = report;
  const runs = payloads[0]!.runs;
  assert.deepEqual(runs.map(({ runtime }) => runtime.name).sort(), [...VISITORS, 'node']);
  for (const { runtime, status, measurement } of runs) {
    assert.equal(status, 'measured', runtime.name);
    assertTimed({ [runtime.name]: measurement!.roundTrip.median });
    assert.equal(measurement!.link, runtime.name === 'node' ? undefined : 'this-machine');
    // On this machine the page is isolated: all is known but memory.
    assert.ok(measurement!.receive !== null, runtime.name);
    if (runtime.name !== 'node') assert.equal(measurement!.peakMemory, null);
  }
});

const address = networkAddress();

test('a browser by the network: the report says what it cannot know', {
  skip:
    missing('chromium') || (address === null && 'this machine has no address in a network') || onlyInWhole,
}, async () => {
  const args = [ORDERS, '--details', '-r', 'url', '--listen', address!, '-b', '800ms', '--timeout', '120s'];
  const browsers: ReturnType<typeof visit>[] = [];
  const { code, stdout, stderr } = await linked(args, (url) => void browsers.push(visit('chromium', url)));
  for (const browser of browsers) browser.kill();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^warning: --listen: whoever has the link/m);
  const text = stdout.replace(/\s+/g, ' ');
  assert.match(
    text,
    /This page is not isolated: its threads share no memory, and its clock has steps of [\d.]+ [mµ]s, so send, receive and memory are not known\./,
  );
  assert.doesNotMatch(text, /\b(sender?|receiver?) [\d.]+ /, 'no time of what is not known');
  assert.match(text, /Over a network the page is only reloaded/);
  assert.match(text, /blocks? of \d+ messages, as the clock is coarse/);
  assert.doesNotMatch(stderr, /memory of/);
});

test('Ctrl-C while it waits ends it', async () => {
  const { code } = await linked([ORDERS, '-r', 'url', '--timeout', '120s'], (_, tool) => tool.kill('SIGINT'));
  assert.equal(code, 130);
});
