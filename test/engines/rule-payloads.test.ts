/** Each module of fixtures/payloads: `fires` fires its rule in the runtimes that the rule is about, `nearMiss` does not. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { classify } from '../../src/engines/classify/classify.ts';
import { isInForce } from '../../src/engines/classify/match.ts';
import { withConfirmation } from '../../src/engines/classify/observed.ts';
import { ENGINES, RULE_BOOKS } from '../../src/engines/index.ts';
import { inRange } from '../../src/engines/versions/versions.ts';
import type { RuntimeId } from '../../src/model/documents/names.ts';
import type { EngineName } from '../../src/model/names.ts';
import type { Classification, PathRow, Rule } from '../../src/model/rules/rule.ts';
import { bundleScript, runScript } from '../support/run-script.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { usually } from '../support/whole.ts';
import type { Answer, Described, PayloadModule } from './in-runtime/rule-payloads.ts';

const workdir = tempFolder('engines');
const SCRIPT = join(workdir, 'rule-payloads.mjs');
const bundled = bundleScript(join(import.meta.dirname, 'in-runtime/rule-payloads.ts'), SCRIPT);

/** @throws when the script fails, with what it printed */
async function answerOf(spec: RuntimeSpec, urls: readonly string[]): Promise<Answer> {
  await bundled;
  const answer = join(workdir, `${spec}.json`);
  await runScript(runtime(spec), [SCRIPT, answer, ...urls]);
  return JSON.parse(readFileSync(answer, 'utf8')) as Answer;
}

interface Case {
  file: string;
  url: string;
  payload: PayloadModule;
  engine: EngineName | 'spec';
  rows: readonly (Rule | PathRow)[];
  fired: (classification: Classification) => boolean;
}

const folder = new URL('../../fixtures/payloads/', import.meta.url);
const OTHERS = [
  'node@20.20.2',
  'node@22.23.3',
  'node@24.21.0',
  'node@26.10.0',
  'deno@2.9.6',
  'deno@2.5.6',
  'bun@1.4.5',
  'bun@1.3.9',
  'bun@1.2.21',
  'bun@1.2.20',
] as const;
const RUNTIMES: RuntimeSpec[] = ['node', ...OTHERS.filter((spec) => spec !== runtime('node').spec)];
/** These runtimes, one of each engine, try all that they can; the others try what no other runtime does. */
const THOROUGH = usually<RuntimeSpec>(['node', 'bun@1.4.5'], RUNTIMES);

/** These do not run here: their rules are applied to the shape that Node describes. */
const NOT_HERE: readonly RuntimeId[] = [
  { name: 'firefox', version: '153.0', engine: 'spidermonkey' },
  { name: 'firefox', version: '128.0', engine: 'spidermonkey' },
  { name: 'webkit', version: '2.50', engine: 'webkit' },
  { name: 'chromium', version: '156.0', engine: 'v8' },
  { name: 'electron', version: '33.2.1', engine: 'v8' },
  { name: 'workerd', version: '1.20261117.1', engine: 'v8' },
];

/** Only an oracle can fire the first, and Firefox does not run here; only a real post the second: observed.test.ts. */
const BY_ORACLE = ['spidermonkey/unshared-string', 'spec/changed-on-arrival'];

/** Before, a DOMException is no error in Node, a Response or URL is an object like others, and lists are not refused. */
const OF_NEWER_NODE = [
  ...['v8-exception-surrogate.js', 'spidermonkey-exception-text.js'],
  'v8-workerd-refused.js',
  ...['spec-listed-detached.js', 'spec-listed-fixed.js'],
];

async function caseOf(file: string): Promise<Case> {
  const url = new URL(file, folder).href;
  const payload = (await import(url)) as PayloadModule;
  const [, path, engine, name] = /^(path-)?([a-z0-9]+)-(.*)\.js$/.exec(file) as unknown as [
    string,
    string | undefined,
    EngineName | 'spec',
    string,
  ];
  const rule = `${engine}/${name}`;
  return {
    file,
    url,
    payload,
    engine,
    rows:
      path === undefined || engine === 'spec'
        ? RULE_BOOKS[engine].filter(({ id }) => id === rule)
        : ENGINES[engine].paths.filter((row) => row.path === name),
    fired: path
      ? ({ verdict }) => verdict.path === name
      : ({ findings }) => findings.some((finding) => finding.rule === rule),
  };
}

/** True if a row of the module holds over its channel in one of the runtimes that the module names. */
function covers({ rows, payload }: Case, runtime: RuntimeId): boolean {
  const { channel = 'worker', runtimes, transfer } = payload;
  const range = runtimes?.[runtime.name];
  if (runtimes !== undefined && (range === undefined || !inRange(runtime.version, range))) return false;
  const context = { runtime, channel, transferring: transfer !== undefined };
  return rows.some(({ scope }) => isInForce(scope, context));
}

/** The runtime whose rules apply to a value that `here` describes; undefined: none. */
function judge(one: Case, here: RuntimeId): RuntimeId | undefined {
  const { engine, file } = one;
  if (OF_NEWER_NODE.includes(file) && !inRange(here.version, '>=22.20.0')) return undefined;
  const isAsked = (asked: RuntimeId) => (engine === 'spec' || asked.engine === engine) && covers(one, asked);
  if (isAsked(here)) return here;
  return here.name === 'node' ? NOT_HERE.find(isAsked) : undefined;
}

/** With what the oracle of `here` said, unless another runtime is asked about. */
function classified(
  { shape, transferring, confirmation }: Described,
  { payload }: Case,
  asked: RuntimeId,
  here: RuntimeId,
): Classification {
  const where = { runtime: asked, channel: payload.channel ?? 'worker', transferring };
  const predicted = classify(shape, ENGINES[asked.engine], where);
  return asked === here ? withConfirmation(predicted, confirmation) : predicted;
}

/** The other module has one of each class of the platform, for `verify`. */
const files = readdirSync(folder).filter((file) => file !== 'platform-objects.js');
const cases = (await Promise.all(files.sort().map(caseOf))).filter(
  ({ file }) => !BY_ORACLE.some((rule) => file === `${rule.replace('/', '-')}.js`),
);
const isTried = (one: Case) =>
  THOROUGH.some((spec) => !missing(spec) && judge(one, runtime(spec)) !== undefined);
for (const spec of RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    const here = runtime(spec);
    const usable = cases
      .filter((one) => judge(one, here) !== undefined)
      .filter((one) => THOROUGH.includes(spec) || !isTried(one));
    if (usable.length === 0) return;
    // All runtimes at once: Bun 1.2 waits ten seconds for a message with a Blob, which it never delivers.
    const asked = answerOf(
      spec,
      usable.map(({ url }) => url),
    );
    let answer: Answer = {};
    before(async () => {
      answer = await asked;
    });
    for (const one of usable) {
      test(one.file, () => {
        const judging = judge(one, here)!;
        const { fires, nearMiss } = answer[one.url]!;
        assert.ok(one.fired(classified(fires, one, judging, here)), JSON.stringify(fires.shape.patterns));
        assert.ok(
          !one.fired(classified(nearMiss, one, judging, here)),
          JSON.stringify(nearMiss.shape.patterns),
        );
        for (const described of [fires, nearMiss]) {
          const { verdict, findings } = classified(described, one, judging, here);
          const facts = JSON.stringify({ verdict, described }).slice(0, 2000);
          assert.notEqual(verdict.confirmed, false, facts);
          const refusals = findings.filter(({ level }) => level === 'rejected');
          assert.equal(refusals.length > 0, verdict.path === 'rejected', facts);
        }
      });
    }
  });
}

test('every payload module was tried on some runtime', { skip: missing(...RUNTIMES) }, () => {
  const hosts = RUNTIMES.map((spec) => runtime(spec));
  const tried = cases.filter((one) => hosts.some((here) => judge(one, here) !== undefined));
  assert.deepEqual(
    cases.filter((one) => !tried.includes(one)).map(({ file }) => file),
    [],
  );
});
