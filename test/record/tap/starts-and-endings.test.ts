import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missing, runtime } from '../../support/runtimes.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';
import { type Program, type Recorded, recorded, totalOf } from './recorded.ts';

const REACHED = 'structuredClone({ reached: true });';
const HEAD = `
const { Worker, SHARE_ENV } = require('node:worker_threads');
const child = require('node:child_process');
const file = require('node:path').join(__dirname, 'target.cjs');
`;

/** Ways to start a worker or a child, each of which runs target.cjs or the same text. */
const WAYS: Record<string, string> = {
  'a worker from a file': 'new Worker(file)',
  'a worker from an address': "new Worker(require('node:url').pathToFileURL(file))",
  'a worker from a text': `new Worker(${JSON.stringify(REACHED)}, { eval: true })`,
  'a worker from a data: address': `new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(REACHED)})))`,
  'a worker without flags': 'new Worker(file, { execArgv: [] })',
  'a worker with the environment of its parent': 'new Worker(file, { env: SHARE_ENV })',
  'a worker with an environment of its own': 'new Worker(file, { env: { A: "1" } })',
  'a worker with other options for Node': 'new Worker(file, { env: { NODE_OPTIONS: "--no-warnings" } })',
  'a worker of a worker':
    'new Worker("new (require(\\"node:worker_threads\\").Worker)(" + JSON.stringify(file) + ")", { eval: true })',
  'a worker by import': "import('node:worker_threads').then(({ Worker }) => new Worker(file))",
  'a worker of a subclass': 'new (class extends Worker {})(file)',
  'a worker that catches output': 'new Worker(file, { stdout: true, stderr: true })',
  fork: 'child.fork(file)',
  'fork without flags': 'child.fork(file, { execArgv: [], env: { A: "1" } })',
  spawn: 'child.spawn(process.execPath, [file])',
  'spawn with an environment of its own': 'child.spawn(process.execPath, [file], { env: {} })',
  'spawn, detached': 'child.spawn(process.execPath, [file], { detached: true, stdio: "ignore" })',
  exec: 'child.exec(JSON.stringify(process.execPath) + " " + file)',
  execFile: 'child.execFile(process.execPath, [file])',
  spawnSync: 'child.spawnSync(process.execPath, [file])',
  'spawnSync with an environment of its own':
    'child.spawnSync(process.execPath, [file], { env: { A: "1" } })',
  execSync: 'child.execSync(JSON.stringify(process.execPath) + " " + file, { env: {} })',
  execFileSync: 'child.execFileSync(process.execPath, [file], { env: {} })',
  'a cluster':
    "const cluster = require('node:cluster'); cluster.setupPrimary({ exec: file }); const worker = cluster.fork(); worker.on('online', () => worker.disconnect())",
};

function reached({ messages }: Recorded): number {
  const others = messages.filter(({ from }) => from !== 'main');
  return totalOf(others, 'structuredClone');
}

const RESTRICTED = `const [node, ...words] = [process.execPath, '--permission', '--allow-fs-read=' + file, file];
const inherit = { stdio: 'inherit' };
child.spawnSync(node, words, inherit);
child.execFileSync(node, words, { ...inherit, env: { A: '1' } });
child.execSync([node, ...words].join(' '), inherit);
const run = (started) => new Promise((ended) => started.on('close', ended));
run(child.spawn(node, words, inherit))
  .then(() => run(child.fork(file, { execArgv: words.slice(0, 2) })))
  .then(() => run(child.spawn('sh', ['-c', [node, ...words].join(' ')], inherit)))
  .then(() => run(child.spawn(node, [file], { ...inherit, env: { NODE_OPTIONS: words.slice(0, 2).join(' ') } })))
  .then(() => run(child.spawn(node, ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', file], inherit)))
  .then(() => run(child.spawn(node, [file, '--permission'], inherit)))
  .then(() => child.spawnSync(node, [file, '--permission'], inherit));`;

describe('ways to start a worker or a child', () => {
  for (const spec of usually(['node@26.10.0'], ['node'])) {
    for (const own of usually([false], [true]))
      test(`${spec}: with an environment of their own: ${own}`, { skip: missing(spec) }, async () => {
        const ways = Object.values(WAYS).filter((code) => code.includes('env:') === own);
        const code = ways.map((one) => `{ ${one}; }`).join('\n');
        const files = { 'main.cjs': `${HEAD}${code}`, 'target.cjs': REACHED };
        const result = await recorded({ files, binary: runtime(spec).binary });
        assert.equal(result.code, 0, result.stderr);
        assert.equal(reached(result), ways.length);
        assert.deepEqual(result.header.gaps, []);
      });
  }

  for (const count of usually([12], [70]))
    test(`more workers than a thread writes the counters of are counted too: ${count}`, async () => {
      const code = `for (let i = 0; i < ${count}; i++) new Worker(file);`;
      const target = `${REACHED} setTimeout(() => undefined, 1500);`;
      const result = await recorded({ files: { 'main.cjs': `${HEAD}${code}`, 'target.cjs': target } });
      assert.equal(result.code, 0, result.stderr);
      assert.equal(reached(result), count);
    });

  test('children under the permission model run normally, and are a gap if they could not load the recorder', {
    skip: missing('node@26.10.0'),
  }, async () => {
    const target = `console.log('ran', process.permission?.has('fs.write') ?? null); ${REACHED}`;
    const files = { 'main.cjs': HEAD + RESTRICTED, 'target.cjs': target };
    const { binary } = runtime('node@26.10.0');
    const env = { NODE_OPTIONS: '--no-warnings' };
    const result = await recorded({ files, binary, env });
    assert.equal(result.stdout, `${'ran false\n'.repeat(7)}ran true\nran null\nran null\n`, result.stderr);
    assert.equal(reached(result), 3);
    const what = 'not recorded: --permission without --allow-fs-read=* and --allow-fs-write=*';
    assert.deepEqual(result.header.gaps, [{ what, count: 7 }]);
  });

  test('a child whose command line replaces the options of Node is reported as a gap', async () => {
    const code = `child.exec('NODE_OPTIONS= exec ' + JSON.stringify(process.execPath) + ' ' + file)`;
    const result = await recorded({ files: { 'main.cjs': `${HEAD}${code}`, 'target.cjs': REACHED } });
    assert.equal(reached(result), 0);
    assert.deepEqual(result.header.gaps, [{ what: 'not recorded, or not JavaScript: sh', count: 1 }]);
  });
});

/** How often each worker posts before it ends in its own way, which is in its name. */
const WORKERS = { 'terminated-after-all': 500, 'terminated-after-one': 1, 'out-of-memory': 300, exits: 50 };
const WORKER = "const { parentPort } = require('node:worker_threads');";
const OF_WORKERS: Program['files'] = {
  'main.cjs': `
const { Worker } = require('node:worker_threads');
const started = (name, options) => new Worker(__dirname + '/' + name + '.cjs', options);
for (const [name, most] of [['terminated-after-all', 500], ['terminated-after-one', 1]]) {
  const worker = started(name);
  let got = 0;
  worker.on('message', () => { if (++got === most) worker.terminate(); });
}
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
started('out-of-memory', { resourceLimits }).on('message', () => undefined).on('error', (error) => console.log(error.code));
started('exits').on('message', () => undefined).on('exit', (code) => console.log(code));`,
  'terminated-after-all.cjs': `${WORKER} for (let i = 0; i < 500; i++) parentPort.postMessage({ i, text: 'x'.repeat(i) });
setInterval(() => undefined, 1000);`,
  'terminated-after-one.cjs': `${WORKER} parentPort.postMessage({ only: 'one' }); setInterval(() => undefined, 1000);`,
  'out-of-memory.cjs': `${WORKER} for (let i = 0; i < 300; i++) parentPort.postMessage({ i });
const kept = []; for (;;) kept.push(new Array(10000).fill({}));`,
  'exits.cjs': `${WORKER} for (let i = 0; i < 50; i++) parentPort.postMessage(i); process.exit(3);`,
};

/** Each posts as many messages as it prints, and ends in its own way. */
const ENDINGS: Record<string, Program['files']> = {
  'process.exit with a worker that runs': {
    'main.cjs': `const worker = new (require('node:worker_threads').Worker)(__dirname + '/worker.cjs');
worker.on('message', () => { for (let i = 0; i < 70; i++) structuredClone([i]); console.log(70); process.exit(0); });`,
    'worker.cjs': `require('node:worker_threads').parentPort.postMessage(1); setInterval(() => undefined, 1000);`,
  },
  'a worker of a worker, terminated by it': {
    'main.cjs': `new (require('node:worker_threads').Worker)(__dirname + '/outer.cjs').on('exit', () => console.log(400));`,
    'outer.cjs': `const worker = new (require('node:worker_threads').Worker)(__dirname + '/inner.cjs');
worker.on('message', () => worker.terminate());`,
    'inner.cjs': `for (let i = 0; i < 400; i++) structuredClone({ i });
require('node:worker_threads').parentPort.postMessage(1); setInterval(() => undefined, 1000);`,
  },
  'an error that nobody catches, and messages on exit': {
    'main.cjs': `process.on('exit', () => { for (let i = 0; i < 20; i++) structuredClone({ i }); console.log(20); });
for (let i = 0; i < 90; i++) structuredClone('text'); console.log(90); throw new Error('ends');`,
  },
  abort: {
    'main.cjs': `for (let i = 0; i < 60; i++) structuredClone([]); console.log(60); setTimeout(() => process.abort(), 500);`,
  },
};

describe('a recording is complete', () => {
  for (const spec of usually(['node'], ['node@24.21.0'])) {
    test(`${spec}: ${Object.keys(WORKERS).join(', ')}`, { skip: missing(spec) }, async () => {
      const result = await recorded({ files: OF_WORKERS, binary: runtime(spec).binary });
      const printed = result.stdout.trim().split('\n').sort();
      assert.deepEqual(printed, ['3', 'ERR_WORKER_OUT_OF_MEMORY'], result.stderr);
      for (const [name, count] of Object.entries(WORKERS)) {
        const posted = result.messages.filter(({ from }) => from === `worker ${name}.cjs`);
        assert.equal(totalOf(posted, 'parentPort.postMessage'), count, name);
        assert.ok(
          posted.every(({ estimated, sample }) => !estimated && sample !== null),
          name,
        );
      }
    });
    for (const [ending, files] of Object.entries(ENDINGS)) {
      test(`${spec}: ${ending}`, { skip: missing(spec) }, async () => {
        const result = await recorded({ files, binary: runtime(spec).binary });
        const posted = result.messages.filter((one) => one.api === 'structuredClone');
        const printed = result.stdout.split('\n').reduce((sum, line) => sum + Number(line), 0);
        assert.equal(totalOf(posted), printed, result.stderr);
        assert.deepEqual(new Set(posted.map((one) => one.estimated)), new Set([ending === 'abort']));
        for (const { sample } of posted) assert.notEqual(sample, null);
      });
    }
  }

  test('a million messages make small files with exact counts', { skip: onlyInWhole }, async () => {
    const program = `
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
for (let i = 0; i < 1e6; i++) { port1.postMessage({ i, text: 'x' }); receiveMessageOnPort(port2); }
port1.close();`;
    const result = await recorded({ files: { 'main.cjs': program } });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(totalOf(result.messages), 1e6);
    assert.ok(result.written.length < 300_000, `${result.written.length} bytes`);
  });
});
