import { testCases } from './cases.ts';

testCases({ ofGate: false });
