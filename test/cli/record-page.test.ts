import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { recordingName } from '../../src/record/command/record.ts';
import { settingsFor } from '../support/cli-settings.ts';
import { realCli } from '../support/real-cli.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { project } from '../support/temp-project.ts';

const PAGES: [url: string, address: string, file: string][] = [
  ['localhost:5173', 'http://localhost:5173/', 'localhost_5173.cprof'],
  ['http://127.0.0.1:80/app?a=1#b', 'http://127.0.0.1/app?a=1#b', '127.0.0.1.cprof'],
  ['https://example.org', 'https://example.org/', 'example.org.cprof'],
  ['file:///tmp/a.html', 'file:///tmp/a.html', 'page.cprof'],
];

for (const [url, address, file] of PAGES) {
  test(`--url ${url}`, async () => {
    const { settings } = await settingsFor(['record', '--url', url]);
    assert.equal(settings?.address, address);
    assert.equal(recordingName([], address), file);
  });
}

const NAMES: [command: string, file: string][] = [
  ['node app.js', 'app'],
  ['node --import tsx src/main.mts --out x.js', 'main'],
  ['node -r ./setup.cjs --env-file .env app.mjs', 'app'],
  ['./node_modules/.bin/vitest run', 'vitest'],
  ['npm run build', 'build'],
  ['npx -y eslint .', 'eslint'],
  ['bun run server.ts', 'server'],
  ['/usr/bin/node', 'node'],
  ['deno run -A https://x.org/mod.ts', 'mod'],
  ['node ../.hidden.js', 'hidden'],
  ['./a:b*c', 'a_b_c'],
  ['..', 'program'],
];

for (const [command, name] of NAMES)
  test(`${command}: ${name}.cprof`, () =>
    assert.equal(recordingName(command.split(' '), null), `${name}.cprof`));

/** An address that was somebody's a moment ago. */
async function nobodyAt(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

test('nothing at the address is one line, and writes nothing', { skip: missing('chromium') }, async () => {
  const { cwd } = project();
  const { binary } = runtime('chromium');
  const env = { ...process.env, NO_COLOR: '1', PATH: [dirname(binary), process.env.PATH].join(delimiter) };
  const { code, stdout, stderr } = await realCli(
    ['record', '--url', `${await nobodyAt()}/?token=secret`, '--headless', '-o', 'a.cprof'],
    { cwd, env },
  );
  assert.deepEqual([code, stdout, existsSync(join(cwd, 'a.cprof'))], [2, '', false]);
  const [opening, reason, rest] = stderr.split('\n');
  assert.match(
    opening!,
    /^clone-prof: opening http:\/\/127\.0\.0\.1:\d+\/ in \S+ without a window; Ctrl-C ends/,
  );
  assert.match(
    reason!,
    /http:\/\/127\.0\.0\.1:\d+\/\S*: cannot be opened \(ERR_CONNECTION_REFUSED\)\. Is its server running\?$/,
  );
  assert.equal(rest, '');
});
