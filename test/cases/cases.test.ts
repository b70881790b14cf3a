import { testCases } from './cases.ts';

for (const subject of ['analyze', 'check', 'codec', 'commands', 'recording', 'report', 'sweep'])
  testCases(subject);
