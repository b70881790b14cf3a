import { testCases } from './cases.ts';

testCases('guests');
