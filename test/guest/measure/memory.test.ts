/** The weight of messages differs from run to run: `npm run bench -- known-costs` looks at that. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Channel } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { MemoryUse, Variant } from '../../../src/model/wire/wire.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { bothModes, ORIGINAL } from './requests.ts';

const noneRunning = trackChildProcesses();
const folder = new PayloadFolder();
after(noneRunning);

const TEXT = folder.value(`'x'.repeat(1_000_000)`);
const ROWS = folder.value(
  'Array.from({ length: 2000 }, (_, id) => ({ id, name: String(id), at: { x: id / 2 } }))',
);
const BYTES = folder.value('() => ({ bytes: new Uint8Array(1_000_000).fill(1) })');

const MESSAGES = 48;

const memoryOf = (
  spec: RuntimeSpec,
  recipe: Recipe,
  { variant = ORIGINAL, channel = 'worker' }: { variant?: Variant | undefined; channel?: Channel } = {},
) => folder.ask(runtime(spec), { type: 'memory', recipe, channel, variant, messages: MESSAGES });

function assertMemory({ bytes, perMessage, messages, baselineBytes }: MemoryUse): void {
  assert.equal(messages, MESSAGES);
  assert.equal(perMessage, bytes / messages);
  assert.ok(bytes >= 0 && baselineBytes > 0, `${bytes} bytes beyond ${baselineBytes}`);
}

const MEASURED = usually<[spec: RuntimeSpec, channel: Channel]>(
  [
    ['node', 'worker'],
    ['bun@1.4.5', 'worker'],
    ['deno@2.9.6', 'worker'],
  ],
  [
    ['node', 'structured-clone'],
    ['bun@1.4.5', 'message-port'],
  ],
);

for (const [spec, channel] of MEASURED) {
  test(`memory of messages in flight on ${spec} over ${channel}`, { skip: missing(spec) }, async () => {
    assertMemory(await memoryOf(spec, TEXT, { channel }));
  });
}

test('memory is measured for a remedy that restores and for a remedy that transfers', async () => {
  const [, converted] = bothModes('json-text');
  assertMemory(await memoryOf('node', ROWS, { variant: converted }));
  const [, transferred] = bothModes('transfer', { paths: ['$.bytes'] });
  const { messages } = await memoryOf('node', BYTES, { variant: transferred });
  // Each message takes its value along; fewer are sent when building them takes long.
  assert.ok(messages >= 1 && messages <= MESSAGES);
});

test('memory cannot be attributed between processes', async () => {
  const asked = memoryOf('node', ROWS, { channel: 'ipc-advanced' });
  await assert.rejects(asked, { code: 'channel-unsupported' });
});
