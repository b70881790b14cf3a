/** Runs in the runtime under test: measures as each of its arguments says, prints the results, and has nothing more to do. */
import { measure } from '../../../src/guest/measure/measure.ts';
import { givePlatform } from '../../../src/guest/platform/common/platform.ts';
import { runningPlatform } from '../../../src/guest/platform/process/platforms.ts';
import type { RequestOf } from '../../../src/model/wire/wire.ts';
import '../../support/probe.ts';

givePlatform(runningPlatform());
for (const ask of process.argv.slice(2))
  console.log(JSON.stringify(await measure(JSON.parse(ask) as RequestOf<'measure'>)));
