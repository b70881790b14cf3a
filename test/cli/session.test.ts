/** What stderr shows while a command runs: its progress, and the link that a browser should open. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createProgress, showLink } from '../../src/cli/session/session.ts';
import { escapedLines, type World } from '../../src/cli/session/world.ts';
import type { AppEvent } from '../../src/model/run/events.ts';
import type { OpenLink } from '../../src/model/run/runtime.ts';
import { ALL_HOSTILE } from '../hostile/strings.ts';
import { frozen } from '../report/render.ts';
import { assertNoCommands } from '../report/safe.ts';
import { captured } from '../support/real-cli.ts';

/** What a spinner and the lines of stderr get of these events, on a terminal of this width, then of another. */
function shownOf(columns: number, events: readonly AppEvent[], narrower = columns) {
  const spun: string[] = [];
  const write = mock.method(process.stderr, 'write', (text: string) => spun.push(text) > 0);
  const lines: string[] = [];
  const stderr = { isTTY: true, columns, line: async (text: string) => void lines.push(text) };
  const progress = createProgress({ stderr, env: {}, now: () => 0 } as unknown as World);
  for (const event of events) {
    progress.listen(event);
    stderr.columns = narrower;
  }
  progress.clear();
  write.mock.restore();
  return { spun, lines };
}

const HEARD: AppEvent = { type: 'note', text: 'heard' };

test('a terminal without a width gets lines and no spinner', () => {
  const shown = shownOf(0, [measuring(1000), HEARD]);
  assert.deepEqual(shown, { spun: [], lines: ['note: heard'] });
});

/** Of the sequence that clears a line, and the sign and a blank. */
const SIGN = '\r\u001b[2K- '.length;

test('the line is escaped, and fits in a window that has become narrower', () => {
  const hostile: AppEvent = { ...STEP, payload: ALL_HOSTILE };
  const { spun } = shownOf(60, [hostile, measuring(1000)], 30);
  const [escaped, narrow] = spun.map((text) => text.slice(SIGN));
  assertNoCommands(escaped!);
  assert.ok(escaped!.startsWith('a\\u001b[31mred') && escaped!.length < 100, escaped);
  assert.ok(narrow!.length > 20 && narrow!.length <= 27, narrow);
});

test('a line on a terminal is replaced, with the gain so far, and cleared', () => {
  const events = [{ ...measuring(1000), gain: 2.14 }, { ...measuring(2000), gain: 2.06 }, HEARD];
  const { spun, lines } = shownOf(80, events as AppEvent[]);
  const line = 'orders · bun 1.4.5 · measuring';
  assert.deepEqual(spun, [
    `\r\u001b[2K- ${line}, 2.1x so far, about 3 s left`,
    `\r\u001b[2K\\ ${line}, 2.1x so far, about 2 s left`,
    '\r\u001b[2K',
  ]);
  assert.deepEqual(lines, ['note: heard']);
});

test('as soon as the class of a payload is known, the line has it', () => {
  const { verdict } = frozen('apply').payloads[0]!.runs[0]!;
  const classified: AppEvent = { type: 'classified', ...AT, verdict: verdict! };
  const { spun } = shownOf(80, [DESCRIBING, classified, measuring(1000)]);
  assert.deepEqual(
    spun.map((text) => text.slice(SIGN)),
    ['orders · bun 1.4.5 · describing', 'orders · bun 1.4.5 · serialized · measuring, about 3 s left', ''],
  );
});

const AT = { payload: 'orders', runtime: 'bun@1.4.5', channel: 'worker' } as const;
const started = (runs: number, runMs: number, totalMs: number | null = null): AppEvent => ({
  type: 'started',
  payloads: runs,
  runtimes: ['bun@1.4.5'],
  runs,
  runMs,
  totalMs,
});
const STEP = { type: 'step', ...AT, step: 'measure', done: 0, of: 4000 } as const;
const measuring = (done: number): AppEvent => ({ ...STEP, done });
const run = frozen('apply').payloads[0]?.runs[0];
const DONE: AppEvent[] = run === undefined ? [] : [{ type: 'run-done', payload: 'orders', run }];

/** Lines that a log gets of these events, each at its time in ms. */
function logOf(events: Readonly<Record<number, AppEvent>>): string[] {
  let clock = 0;
  const written: string[] = [];
  const stderr = { isTTY: false, columns: 0, line: async (text: string) => void written.push(text) };
  const progress = createProgress({ stderr, env: {}, now: () => clock } as unknown as World);
  for (const [ms, event] of Object.entries(events)) {
    clock = Number(ms);
    progress.listen(event);
  }
  return written;
}

const [LAST] = DONE as [AppEvent];
const ONE = started(1, 5000);
const THREE = started(3, 5000);
const PROVING: AppEvent = { type: 'step', ...AT, channel: 'ipc-advanced', step: 'prove', done: 2, of: 4 };
const DESCRIBING: AppEvent = { type: 'step', ...AT, step: 'describe', done: 0, of: 1 };
const LOGS: [name: string, events: Record<number, AppEvent>, lines: string[]][] = [
  ['a short run', { 0: ONE, 1000: measuring(1000), 4900: measuring(3900) }, []],
  [
    'one run, late',
    { 0: started(1, 20_000), 6000: measuring(1000), 7000: measuring(2000) },
    ['orders · bun 1.4.5 · measuring, about 14 s left'],
  ],
  [
    'of several runs, one is done in 6 s',
    { 0: THREE, 6000: LAST, 6500: measuring(500), 9000: measuring(3000), 12000: measuring(3500) },
    ['orders · bun 1.4.5 · measuring, about 12 s left', 'orders · bun 1.4.5 · measuring, about 6 s left'],
  ],
  ['classifying', { 0: THREE, 5500: DESCRIBING }, []],
  [
    'another step',
    { 0: THREE, 5500: PROVING },
    ['orders · bun 1.4.5 · ipc-advanced · proving rewrites 50 %, about 10 s left'],
  ],
  [
    'one budget for all',
    { 0: started(3, 5000, 120_000), 5500: measuring(500) },
    ['orders · bun 1.4.5 · measuring, about 2 min left'],
  ],
  [
    'nothing is known of the whole',
    { 5500: measuring(500) },
    ['orders · bun 1.4.5 · measuring, about 4 s left'],
  ],
];

test('a log gets a line with the time left every few seconds, and none of a short run', () => {
  for (const [name, events, lines] of LOGS) assert.deepEqual(logOf(events), lines, name);
});

test('the log of a long run stays short', () => {
  const later = Array.from({ length: 1200 }, (_, i) => [100 * (i + 1), measuring(500)] as const);
  const { length } = logOf({ 0: started(3, 5000, 120_000), ...Object.fromEntries(later) });
  assert.ok(length >= 8 && length <= 16, `${length} lines in two minutes`);
});

const LINK: OpenLink = {
  url: `http://127.0.0.1:40000/${'0123456789abcdef'.repeat(2)}/`,
  browsers: 2,
  timeoutMs: 30_000,
  isPublic: false,
};

/** Lines on a terminal of so many columns, or in a log. */
async function shown(more: Partial<OpenLink>, columns?: number) {
  const sink = captured(columns !== undefined, columns ?? 0);
  await showLink({ ...LINK, ...more }, { stderr: escapedLines(sink) });
  return sink.text.trimEnd().split('\n');
}

test('a log and a narrow terminal have the link in one line, and no code for a camera', async () => {
  const line = `waiting up to 30 s for 2 browsers on this machine to open ${LINK.url} (Ctrl-C ends)`;
  assert.deepEqual(await shown({}), [line]);
  assert.equal((await shown({}, 40)).length, 1);
});

test('on the network it is warned first', async () => {
  const [warning, link] = await shown({ isPublic: true, browsers: 1 });
  assert.match(warning!, /^warning: --listen: whoever has the link can take part/);
  assert.match(link!, /for 1 browser on any device of the network to open http/);
});

test('a terminal that is wide enough has the code of the link: squares, light around', async () => {
  const lines = await shown({}, 80);
  const code = lines.slice(0, -1);
  assert.ok(code.length > 15);
  assert.ok(code.every((line) => /^[ ▀▄█]+$/u.test(line) && line.length === code[0]!.length));
  // Two modules of each column in a line.
  assert.ok(Math.abs(code.length * 2 - code[0]!.length) <= 1);
  assert.match(code[0]!, /^█+$/u);
});
