import { testAllApis, testKilled, testReach, testStealth, testTerminated } from './other-runtimes.ts';

const spec = 'deno@2.9.6';
testAllApis(spec);
testReach(spec);
testTerminated(spec);
testKilled(spec, false);
testStealth(spec);
