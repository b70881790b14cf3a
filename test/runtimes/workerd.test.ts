/** workerd itself: one process answers all of it. A start of it that fails leaves nothing: no process, no folder, no server. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verify } from '../../src/app/verify.ts';
import { loadSpecimens } from '../../src/cli/actions/rules.ts';
import { classify } from '../../src/engines/classify/classify.ts';
import { ENGINES } from '../../src/engines/index.ts';
import { ownedPath, WORK } from '../../src/machine/temp-folders.ts';
import { CHANNELS, type Channel, mayHave } from '../../src/model/names.ts';
import { orElse } from '../../src/model/or-else.ts';
import type { FoundRuntime, Guest, RuntimeDriver } from '../../src/model/run/runtime.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL } from '../guest/measure/requests.ts';
import * as make from '../make.ts';
import { trackChildProcesses, until } from '../support/child-processes.ts';
import { PayloadFolder } from '../support/payload-folder.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { withVariable } from '../support/with-variable.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../fixtures/payloads${path}`, import.meta.url));
const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();

const OWN: readonly Channel[] = ['structured-clone', 'rpc'];
const ROWS = 'export const value = () => Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}` }));';

/** What each arrives as. */
const SENT: readonly [what: string, code: string, overRpc: RegExp | null, byClone: RegExp | null][] = [
  ['rows', '[{ id: 1 }]', null, null],
  ['an instance', 'new (class Account { balance = 1 })()', /"Account".*does not support/, null],
  ['a stream', "new ReadableStream({ type: 'bytes' })", null, /only be serialized for RPC/],
  ['a function', '() => 1', null, /could not be cloned/],
  ['a URL', "new URL('https://example.com')", /"URL"/, /"URL"/],
];

let guest: Guest;

/** The one guest for whoever starts one. */
const shared: RuntimeDriver = {
  start: async () => ({
    ...{ hello: guest.hello, dead: false },
    ask: (request, options) => guest.ask(request, options),
    close: async () => undefined,
  }),
};

function testChannel(): void {
  for (const [what, code, ...refusals] of SENT)
    test(`${what}: rpc and structuredClone accept or refuse it`, async () => {
      const recipe = folder.value(`() => ({ of: ${code} })`);
      for (const [at, channel] of (['rpc', 'structured-clone'] as const).entries()) {
        const { refused } = await guest.ask({ type: 'losses', recipe, channel });
        if (refusals[at] === null) assert.equal(refused, null, channel);
        else assert.match(refused ?? '', refusals[at] as RegExp, channel);
      }
    });

  test('own properties of an error are described, and refused by their paths', async () => {
    const code = (of: string) =>
      `export const value = () => Object.assign(new Error('e'), { own: { of: ${of} } });`;
    for (const [name, of, rpc, clone] of [
      ['call', '() => 1', 'v8/rpc-handed-over', 'spec/function'],
      ['url', "new URL('https://example.com')", 'v8/workerd-refused', 'v8/workerd-refused'],
    ] as const) {
      const recipe = folder.module(`own-${name}.mjs`, code(of));
      for (const [channel, rule] of [
        ['rpc', rpc],
        ['structured-clone', clone],
      ] as const) {
        const { shape } = await guest.ask({ type: 'describe', recipe, channel, confirm: false });
        const where = { runtime: runtime('workerd@1.20261117.1'), channel };
        const { findings } = classify(shape, ENGINES.v8, where);
        assert.equal(findings.find(({ path }) => path === '$.own.of')?.rule, rule, `${name} ${channel}`);
      }
    }
  });

  test('variants take turns; a rewrite is proven by what a call brings', async () => {
    const recipe = folder.module('rows.mjs', ROWS);
    const plan = { path: '$', paths: ['$'] };
    for (const channel of OWN) {
      const { equality } = await guest.ask({ type: 'prove', recipe, channel, remedy: 'json-text', plan });
      assert.equal(equality, 'equal', channel);
      const variants = [FLOOR, ORIGINAL, ...bothModes('json-text')];
      const asked = measureRequest(recipe, { channel, variants, maxRounds: 2 });
      const { sets, page } = await guest.ask(asked);
      for (const { variant, error, roundTrip } of sets) {
        assert.equal(error, null, variant);
        assert.equal(roundTrip.length, 2, variant);
      }
      // Blocks of messages: one takes less than a step of the clock.
      assert.ok((page?.clockStepNs ?? 0) > 0.5e6, `${page?.clockStepNs}`);
    }
  });

  test('other channels are refused with the reason', async () => {
    const recipe = folder.module('rows.mjs', ROWS);
    for (const channel of CHANNELS.filter((one) => !mayHave('workerd', one)))
      await assert.rejects(guest.ask({ type: 'describe', recipe, channel, confirm: true }), {
        code: 'channel-unsupported',
      });
  });
}

function testRules(): void {
  test('modules: Node built-ins can be imported, modules are evaluated again, and errors have their line', async () => {
    const code = `
      import { Buffer } from 'node:buffer';
      export const value = { bytes: Buffer.from('abc') };
      export const broken = () => { throw new Error('on purpose'); };`;
    const recipe = folder.module('own.mjs', code);
    for (let time = 0; time < 3; time++) {
      const { shape } = await guest.ask({ type: 'describe', recipe, channel: 'rpc', confirm: true });
      assert.deepEqual(
        shape.patterns.map(({ kind }) => kind),
        ['object', 'typedarray'],
      );
    }
    const broken = { ...recipe, build: { ...recipe.build, export: 'broken' } } as typeof recipe;
    await assert.rejects(
      guest.ask({ type: 'describe', recipe: broken, channel: 'rpc', confirm: true }),
      /on purpose \(line 4, column \d+\)/,
    );
  });

  test('the rules hold, and a planted wrong one does not', async () => {
    const all = await loadSpecimens(fileOf(''));
    const own = all.filter(
      ({ of, channel }) => 'rule' in of && (channel === 'rpc' || /v8\/workerd-/.test(of.rule)),
    );
    const [specimens] = usually([own], [all]).slice(-1);
    const here = runtime('workerd@1.20261117.1');
    const request = { specimens: specimens ?? [], runtimes: [here], timeoutMs: 120_000, cwd: '.' };
    // Ninety posts of objects that other tests do not look at.
    const [objects] = usually<string>([], [fileOf('/platform-objects.js')]);
    const report = await verify(
      { ...request, ...(objects !== undefined && { objects }) },
      { driver: shared, emit: () => {} },
    );
    assert.deepEqual(
      [...report.results, ...report.objects].filter(({ holds }) => holds === false),
      [],
    );
    assert.ok(report.results.filter(({ holds, inScope }) => holds === true && inScope).length >= 7);
    assert.equal(report.objects.filter(({ holds }) => holds === true).length >= 16, objects !== undefined);
    const rules = ENGINES.v8.rules.filter(({ id }) => id !== 'v8/rpc-class-instance');
    const engines = { ...ENGINES, v8: { ...ENGINES.v8, rules } };
    const wrong = await verify(
      {
        ...request,
        specimens: own.filter(({ of }) => 'rule' in of && of.rule === 'v8/rpc-class-instance'),
        engines,
      },
      { driver: shared, emit: () => {} },
    );
    assert.equal(wrong.holds, false);
  });
}

describe('workerd', { skip: missing('workerd@1.20261117.1') }, () => {
  before(async () => {
    guest = await folder.startGuest(runtime('workerd@1.20261117.1'));
  });
  after(async () => {
    await guest.close();
  });
  testChannel();
  testRules();
});

// Starts that fail.

/** A program in the place of workerd. */
const workerd = (binary: string): FoundRuntime => {
  return { ...make.runtime('workerd@1.20261117.1'), spec: 'workerd', binary, from: 'named' };
};

/** Sockets of this process that listen: proc_net(5). */
function listening(): string[] {
  const names = readdirSync('/proc/self/fd').map((fd) =>
    orElse(() => readlinkSync(`/proc/self/fd/${fd}`), ''),
  );
  return readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, ...rest]) => state === '0A' && names.includes(`socket:[${rest[5]}]`))
    .map(([, address = '']) => address);
}

const OWNED = ownedPath(WORK);
const workFolders = (): string[] =>
  readdirSync(dirname(OWNED)).filter((name) => name.startsWith(basename(OWNED)));

const FAILURES: [name: string, binary: string, reason: RegExp, variable?: [name: string, value: string]][] = [
  ['a program that is not there', '/none/workerd', /did not answer \(it ended: spawn .*ENOENT/],
  ['a program that ends at once', '/bin/false', /did not answer \(it ended: exit code 1/],
  [
    ...(['an environment that is too long for any program', '/bin/true', /E2BIG/] as const),
    ['CLONE_PROF_TEST_LONG', 'x'.repeat(2 ** 18)],
  ],
  ['a temp folder that is not there', '/bin/true', /ENOENT.*\/none/, ['TMPDIR', '/none']],
];

describe('a start of workerd that fails', { skip: process.platform !== 'linux' }, () => {
  for (const [name, binary, reason, [key, value] = ['CLONE_PROF_TEST_NONE', '']] of FAILURES)
    test(name, async () => {
      const before = { servers: listening(), folders: workFolders() };
      await withVariable(key, value, () => assert.rejects(folder.startGuest(workerd(binary)), reason));
      await until(
        () => listening().every((address) => before.servers.includes(address)),
        () => `still listening: ${listening().join(' ')}`,
      );
      assert.deepEqual(workFolders(), before.folders);
      await noneRunning();
    });
});
