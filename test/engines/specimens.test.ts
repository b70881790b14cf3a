/** Every specimen in fixtures/payloads fires its rule in the rule's runtimes; its near miss does not. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { classify } from '../../src/core/classify/classify.ts';
import { withConfirmation } from '../../src/core/classify/confirm.ts';
import { inRange } from '../../src/core/classify/versions.ts';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { Channel, EngineName, RuntimeId } from '../../src/model/names.ts';
import type { Classification, PathRow, Rule, Versions } from '../../src/model/rule.ts';
import { runtime } from '../support/runtimes.ts';
import type { Answer, Described } from './guest/specimens.ts';
import { answerOf } from './guest.ts';

interface Specimen {
  channel?: Channel;
  runtimes?: Versions;
}

interface Case {
  file: string;
  url: string;
  specimen: Specimen;
  engine: EngineName | 'spec';
  scope: Versions | undefined;
  fired: (classification: Classification) => boolean;
}

const folder = new URL('../../fixtures/payloads/', import.meta.url);
const RUNTIMES = [
  'node',
  'node@22.23.3',
  'node@24.21.0',
  'node@26.10.0',
  'deno@2.9.6',
  'bun@1.4.5',
  'bun@1.3.9',
  'bun@1.2.21',
  'bun@1.2.20',
];

/** There is no browser here: the shape described by Node is classified by their rules. */
const BROWSERS: readonly RuntimeId[] = [
  { name: 'firefox', version: '153.0', engine: 'spidermonkey' },
  { name: 'firefox', version: '128.0', engine: 'spidermonkey' },
  { name: 'webkit', version: '2.50', engine: 'webkit' },
  { name: 'chromium', version: '156.0', engine: 'v8' },
];

/** Only an oracle can fire it, and Firefox has none: see confirm.test.ts. */
const BY_ORACLE = ['spidermonkey/substring'];

function scopeOf(engine: EngineName | 'spec', name: string, isPath: boolean): Versions | undefined {
  const rows: readonly (Rule | PathRow)[] =
    engine === 'spec' ? STANDARD.rules : isPath ? ENGINES[engine].paths : ENGINES[engine].rules;
  const key = isPath ? name : `${engine}/${name}`;
  return rows.find((row) => ('id' in row ? row.id : row.path) === key)?.scope?.runtimes;
}

async function caseOf(file: string): Promise<Case> {
  const url = new URL(file, folder).href;
  const specimen = (await import(url)) as Specimen;
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
    specimen,
    engine,
    scope: specimen.runtimes ?? scopeOf(engine, name, path !== undefined),
    fired: path
      ? ({ verdict }) => verdict.path === name
      : ({ findings }) => findings.some((finding) => finding.rule === rule),
  };
}

const covers = (versions: Versions | undefined, { name, version }: RuntimeId) =>
  versions === undefined || (versions[name] !== undefined && inRange(version, versions[name]));

/** The runtime whose rules apply to a value that `here` describes; undefined: none. */
function judge({ engine, scope }: Case, here: RuntimeId): RuntimeId | undefined {
  const rightEngine = (one: RuntimeId) => engine === 'spec' || one.engine === engine;
  if (rightEngine(here) && covers(scope, here)) return here;
  if (here.name !== 'node') return undefined;
  return BROWSERS.find((one) => rightEngine(one) && covers(scope, one));
}

function classified(
  { shape, transferring }: Described,
  { specimen }: Case,
  asked: RuntimeId,
): Classification {
  const channel = specimen.channel ?? 'worker';
  return classify(shape, ENGINES[asked.engine], STANDARD, { runtime: asked, channel, transferring });
}

const cases = (await Promise.all(readdirSync(folder).sort().map(caseOf))).filter(
  ({ file }) => !BY_ORACLE.some((rule) => file === `${rule.replace('/', '-')}.js`),
);
const hosts = await Promise.all(RUNTIMES.map(runtime));

for (const here of hosts) {
  const usable = cases.filter((one) => judge(one, here) !== undefined);
  describe(here.spec, () => {
    let answer: Answer = {};
    before(async () => {
      answer = await answerOf<Answer>(
        here.spec,
        'specimens',
        usable.map(({ url }) => url),
      );
    });
    for (const one of usable) {
      test(one.file, () => {
        const asked = judge(one, here)!;
        const { fires, nearMiss } = answer[one.url]!;
        assert.ok(one.fired(classified(fires, one, asked)), JSON.stringify(fires.shape.patterns));
        assert.ok(!one.fired(classified(nearMiss, one, asked)), JSON.stringify(nearMiss.shape.patterns));
        if (asked !== here) return;
        for (const described of [fires, nearMiss]) {
          const { verdict } = withConfirmation(classified(described, one, asked), described.confirmation);
          assert.notEqual(verdict.confirmed, false, JSON.stringify({ verdict, described }).slice(0, 2000));
        }
      });
    }
  });
}

test('every specimen was tried on some runtime', () => {
  const tried = cases.filter((one) => hosts.some((here) => judge(one, here) !== undefined));
  assert.deepEqual(
    cases.filter((one) => !tried.includes(one)).map(({ file }) => file),
    [],
  );
});
