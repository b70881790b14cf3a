/** After measuring, nothing keeps the measuring process alive: no handle, no worker, no child process. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Channel } from '../../../src/model/names.ts';
import type { Measured } from '../../../src/model/wire/wire.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { bundleScript, runScript } from '../../support/run-script.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { measureRequest, specimen } from './requests.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = new PayloadFolder();
const script = join(folder.path, 'measure-once.mjs');
const noneRunning = trackChildProcesses();

before(async () => {
  await bundleScript(join(root, 'test/guest/measure/measure-once.ts'), script);
  // The worker of a measurement is loaded from beside the bundle, as beside the guest.
  cpSync(join(root, 'dist/guest'), folder.path, { recursive: true });
});

const CHANNELS: Channel[] = ['worker', 'ipc-json'];
const MORE: Channel[] = ['message-port', 'structured-clone', 'broadcast'];

for (const spec of MAIN_RUNTIMES) {
  test(`a process that has measured ends by itself: ${spec}`, { skip: missing(spec) }, async () => {
    const channels = spec === 'node' ? [...CHANNELS, ...MORE] : usually(CHANNELS, MORE);
    const asks = channels.map((channel) => JSON.stringify(measureRequest(specimen('flat'), { channel })));
    const printed = (await runScript(runtime(spec), [script, ...asks])).trim().split('\n');
    assert.deepEqual(
      printed.map((line) => (JSON.parse(line) as Measured).rounds),
      channels.map(() => 12),
    );
    await noneRunning();
  });
}
