import { testAllApis, testKilled, testReach, testStealth } from './other-runtimes.ts';

const spec = 'deno@2.9.6';
testAllApis(spec);
testReach(spec);
testKilled(spec, false);
testStealth(spec);
