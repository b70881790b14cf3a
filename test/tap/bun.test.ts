import { usually } from '../support/whole.ts';
import { testAllApis, testKilled, testReach, testStealth, testTerminated } from './other-runtimes.ts';

for (const spec of usually(['bun@1.4.5', 'bun@1.2.20'], ['bun@1.3.14'])) {
  testAllApis(spec);
  testReach(spec);
  testTerminated(spec);
  testKilled(spec, true);
}
testStealth('bun@1.4.5');
// Up to 1.3 the limit of stacks cannot be restored once it is assigned: the last lines of errors are missing.
testStealth('bun@1.2.20', ['stacks in handlers and of errors']);
