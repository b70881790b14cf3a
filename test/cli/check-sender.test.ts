/** The thread of a page that posts, as the config of the gate names it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { ToolError } from '../../src/model/errors.ts';
import type { StartOptions } from '../../src/model/run/runtime.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';

const LIMITS = { time: '+10%', memory: '+10%', class: 'off', maxBytes: 'off' };
const CONFIG = JSON.stringify({
  runtimes: ['chromium@156'],
  sender: 'worker',
  limits: LIMITS,
  payloads: ['a.json', { input: 'b.json', sender: 'main' }],
});

const scenario = (starts: (options: StartOptions) => void): CliScenario => ({
  files: { 'a.json': '{"a":1}', 'b.json': '{"b":1}', 'clone-prof.config.json': CONFIG },
  runtimes: ['chromium@156'],
  before: [['baseline', '--samples']],
  changed: { 'a.json': '{"a":2}', 'b.json': '{"b":2}' },
  script: { starts: (_, options) => starts(options) },
});

test('time and memory are measured with the sender of the payload, else with that of the config', async () => {
  const senders: (string | undefined)[] = [];
  const { stdout, code } = await runCli(
    ['check', '-f', 'json'],
    scenario(({ sender }) => senders.push(sender)),
  );
  const { results } = JSON.parse(stdout) as CheckReport;
  const measured = results.filter(({ limit }) => limit === 'time' || limit === 'memory');
  assert.deepEqual(
    measured.map(({ payload, outcome }) => [payload, outcome === 'not-measured']),
    ['a', 'a', 'b', 'b'].map((payload) => [payload, false]),
  );
  assert.equal(code, 0);
  // Facts are asked for without a choice of the sender.
  assert.deepEqual([...new Set(senders)], [undefined, 'worker', 'main']);
});

test('a limit for a sender in a page is not measured on Node, and the reason is given', async () => {
  const { stdout, code } = await runCli(
    ['check', '-f', 'json'],
    scenario(({ sender }) => {
      if (sender === 'worker') throw new ToolError('sender-unsupported', { value: 'node' });
    }),
  );
  const { results } = JSON.parse(stdout) as CheckReport;
  const [first] = results.filter(({ limit }) => limit === 'time');
  assert.equal(first?.outcome, 'not-measured');
  assert.match(
    first?.reason ?? '',
    /^node: only browser pages can post from a worker\. Leave out the sender/,
  );
  assert.equal(code, 3);
});
