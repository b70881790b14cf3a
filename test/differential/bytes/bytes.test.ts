/** The quick part of `npm run verify:bytes`: told copied bytes are those that a program of its own measures. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PostBytes } from '../../../src/model/documents/classification.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';
import { chosenModule } from './chosen.ts';
import { comparedBytes, type MeasuredBytes, measuredBytes, toldBytes } from './measured-bytes.ts';

/** A part of a buffer copies all of it; JSON text has no bigint, and a key for each element. */
const NAMES = ['part1000k', 'numbers200k', 'bigints200k'];
const RUNTIMES = usually(['node'], ['bun@1.4.5', 'deno@2.9.6']);
const CHANNELS = ['message-port', 'ipc-json'] as const;

const file = join(tempFolder('bytes'), 'values.mjs');
writeFileSync(file, chosenModule(NAMES));

for (const spec of RUNTIMES)
  test(`${spec}: predicted bytes of a message match the measured bytes`, {
    skip: missing(spec),
  }, async () => {
    const here = runtime(spec);
    const told = await toldBytes(here, file, NAMES, CHANNELS);
    for (const channel of CHANNELS)
      for (const name of NAMES) {
        const measured = await measuredBytes(here, file, name, channel);
        assert.equal(comparedBytes(name, told.get(`${name} ${channel}`), measured).complaint, '');
      }
  });

const BYTES: PostBytes = { copied: 1_000_000, moved: 0, shared: 0, by: 'serializer' };
const PLANTED: [name: string, told: PostBytes | null | undefined, measured: MeasuredBytes, found: RegExp][] =
  [
    ['6 % too few', { ...BYTES, copied: 940_000 }, { bytes: 1_000_000 }, /told 940000/],
    ['refused, and arrives', null, { bytes: 1_000_000 }, /told to be refused/],
    ['arrives, and is refused', BYTES, { refused: 'DataCloneError' }, /DataCloneError/],
    ['nothing', undefined, { bytes: 1_000_000 }, /nothing was told/],
  ];
for (const [name, told, measured, found] of PLANTED)
  test(`a wrong count is found: ${name}`, () =>
    assert.match(comparedBytes(name, told, measured).complaint, found));
