import { testCases } from './cases.ts';

testCases('hostile');
