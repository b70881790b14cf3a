/** Runs in the runtime under test: measures as its argument says, prints the result, and has nothing more to do. */
import { measure } from '../../../src/guest/measure/measure.ts';
import type { RequestOf } from '../../../src/model/wire/wire.ts';
import '../../support/guest-platform.ts';

console.log(JSON.stringify(await measure(JSON.parse(process.argv[2] ?? '') as RequestOf<'measure'>)));
