import { testCases } from './cases.ts';

testCases('gate');
