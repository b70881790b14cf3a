import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import type { Report } from '../../src/model/report.ts';
import { REPORTERS, terminalMachine, terminalPayload } from '../../src/reporters/index.ts';
import { assertCommandsNothing, withoutColors } from './commands.ts';
import { FROZEN } from './frozen/reports.ts';
import { HOSTILE } from './frozen/troubled.ts';
import { FROZEN_WORDS } from './frozen/words.ts';

const WIDTHS = [40, 41, 47, 53, 59, 60, 61, 72, 80, 81, 100, 120, 163, 200];
const LOOKS = WIDTHS.flatMap((columns) =>
  [true, false].flatMap((unicode) => [true, false].map((color) => ({ columns, unicode, color }))),
);

const printed = (report: Report, look: (typeof LOOKS)[number]) =>
  REPORTERS.terminal(report, look, FROZEN_WORDS);

function frozen(name: string): Report {
  const report = FROZEN[name];
  assert.ok(report, name);
  return report;
}

const plain = (name: string) => printed(frozen(name), { columns: 80, unicode: true, color: false });

for (const [name, report] of Object.entries(FROZEN)) {
  test(`${name} keeps to the screen at every width`, () => {
    for (const look of LOOKS) {
      const text = printed(report, look);
      for (const line of text.split('\n')) {
        const width = stringWidth(line);
        assert.ok(width <= look.columns, `${JSON.stringify(look)}: ${width} cells: ${JSON.stringify(line)}`);
        assert.equal(line, line.trimEnd(), 'a line ends in blanks');
      }
    }
  });

  test(`${name} prints no character that commands a terminal`, () => {
    for (const look of LOOKS) {
      const text = printed(report, look);
      assertCommandsNothing(look.color ? withoutColors(text) : text);
      if (!look.unicode) assert.match(withoutColors(text), /^[\n -~]*$/);
    }
  });

  test(`${name} reads the same with colours and without`, () => {
    const look = { columns: 80, unicode: true };
    const colored = printed(report, { ...look, color: true });
    assert.equal(withoutColors(colored), printed(report, { ...look, color: false }));
  });
}

const SAYS: { name: string; says: RegExp; why: string }[] = [
  { name: 'apply', says: /Apply json-text \(send one JSON text\), 2\.9x faster/, why: 'the advice' },
  { name: 'apply', says: /worker\.postMessage\(JSON\.stringify\(payload\)\);/, why: 'the sender code' },
  { name: 'apply', says: /const payload = JSON\.parse\(event\.data\);/, why: 'the receiver code' },
  {
    name: 'apply',
    says: /\$\.rows\[\*\]\.geo\s+object inside an object 1,200×/,
    why: 'the cause and its count',
  },
  { name: 'apply', says: /round trip\s+412 µs\s+400–428 µs\s+585 µs\s+9\.10 µs/, why: 'the round trip' },
  {
    name: 'apply',
    says: /transfer \$\.blob was refused: the buffer is shared/,
    why: 'why a trial was refused',
  },
  { name: 'three-runtimes', says: /The advice differs: /, why: 'that the advice differs' },
  { name: 'nothing', says: /Nothing: no rewrite is faster/, why: 'the advice' },
  { name: 'nothing', says: /stands for 3,120 messages/, why: 'how many messages it stands for' },
  {
    name: 'not-the-clone',
    says: /Not the clone: the round trip is within 1\.5x of the floor/,
    why: 'the advice',
  },
  { name: 'unsure', says: /Unsure: the intervals are too wide/, why: 'the advice' },
  { name: 'in-place-only', says: /If both ends can keep the data as columns/, why: 'the condition' },
  {
    name: 'rejected',
    says: /\$\.tasks\[\*\]\.onDone\s+function \(async onDone\) 3×/,
    why: 'the path of the function',
  },
  {
    name: 'denied',
    says: /the rule book is wrong about\s+simple-object on bun 1\.4\.5/,
    why: 'the contradiction',
  },
  { name: 'denied', says: /Please file a bug/, why: 'what to file' },
  { name: 'upgrade', says: /bun 1\.3\.10 and newer take the double-array path/, why: 'the upgrade' },
  { name: 'timeout', says: /✖ failed · deno 2\.9\.6/, why: 'the run that failed' },
  { name: 'timeout', says: /gave no answer within 35000 ms/, why: 'the error sentence' },
  { name: 'timeout', says: /▲ serialized · bun 1\.4\.5/, why: 'the run that worked, all the same' },
  { name: 'load-error', says: /fixtures\/broken\.json:3:14: not valid JSON/, why: 'the error of loading' },
  {
    name: 'classified-only',
    says: /\$\.body: whether its text can be shared 2×/,
    why: 'what nobody can see',
  },
  { name: 'empty', says: /No payloads\./, why: 'that there is nothing' },
];

for (const { name, says, why } of SAYS) {
  test(`${name} says ${why}`, () => assert.match(plain(name), says));
}

test('runtimes are compared fastest first', () => {
  const order = [...plain('three-runtimes').matchAll(/^ {2}(bun|node|deno) \d/gm)].map(
    ([, runtime]) => runtime,
  );
  assert.deepEqual(order, ['bun', 'node', 'deno']);
});

test('runtimes of one engine that say the same share a section', () => {
  const sections = plain('twelve-runtimes').match(/^▲ /gm);
  assert.equal(sections?.length, 2);
});

test('trials are sorted, and the original stands among them as the measure', () => {
  const trials = [
    ...plain('apply').matchAll(/^ {2}(json-text|columns|flatten|plain|as it is).*?(\d\.\d\d) /gm),
  ];
  assert.deepEqual(
    trials.map(([, remedy, ratio]) => `${remedy} ${ratio}`),
    ['json-text 0.34', 'columns 0.97', 'flatten 1.18', 'plain 2.60'],
  );
});

test('a second plan of a remedy at one place is another row', () => {
  const report = structuredClone(frozen('apply'));
  const run = report.payloads[0]?.runs[0];
  const columns = run?.trials.find(({ remedy }) => remedy === 'columns');
  assert.ok(run && columns);
  run.trials.push({
    ...columns,
    plan: { ...columns.plan, typed: true },
    withConversion: { ratio: 0.5, ci: [0.4, 0.6] },
  });
  const text = printed(report, { columns: 100, unicode: true, color: false });
  assert.match(text, /columns \$\.rows \(2\) .* 0\.50 /);
  assert.match(text, /columns \$\.rows {2}.* 0\.97 /);
});

test('the gains of runs that share their advice are told from the least to the largest', () => {
  const report = structuredClone(frozen('twelve-runtimes'));
  const run = report.payloads[0]?.runs.find(({ runtime }) => runtime.version === '1.4.5');
  assert.ok(run?.advice);
  run.advice.gain = { ratio: 0.25, ci: [0.2, 0.3] };
  const text = printed(report, { columns: 120, unicode: true, color: false });
  assert.match(
    text,
    /Apply json-text \(send one JSON text\), 2\.9x to 4\.0x faster \(0\.25–0\.34 of the time\)/,
  );
});

test('code that would fill the screen is named instead of cut', () => {
  const report = structuredClone(frozen('apply'));
  const advice = report.payloads[0]?.runs[0]?.advice;
  assert.ok(advice);
  advice.code = 'a();\n'.repeat(60);
  assert.match(
    printed(report, { columns: 80, unicode: true, color: false }),
    /60 lines to paste: --format markdown/,
  );
});

test('payload text is shown as visible escapes', () => {
  const text = plain('hostile');
  assert.ok(text.includes('\\u001b]0;owned\\u0007'));
  assert.ok(text.includes('user\\u202e}gnp.exe'));
  assert.ok(!text.includes(HOSTILE.osc));
});

test('payloads can be printed one by one', () => {
  const look = { columns: 80, unicode: true, color: false };
  const report = frozen('load-error');
  const parts = [
    ...report.payloads.map((payload) => terminalPayload(payload, look, FROZEN_WORDS)),
    terminalMachine(report, look),
  ];
  assert.equal(parts.join('\n'), printed(report, look));
});
