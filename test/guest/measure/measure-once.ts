/** Runs in the runtime under test: measures as its argument says, prints the result, and has nothing more to do. */
import { measure } from '../../../src/guest/measure/measure.ts';
import { givePlatform } from '../../../src/guest/platform/current.ts';
import { runningPlatform } from '../../../src/guest/platform/process/platforms.ts';
import type { RequestOf } from '../../../src/model/wire/wire.ts';
import '../../support/probe.ts';

givePlatform(runningPlatform());
console.log(JSON.stringify(await measure(JSON.parse(process.argv[2] ?? '') as RequestOf<'measure'>)));
