import { expect } from 'expect';
import { matchers } from '../../../src/faces/matchers/index.ts';
import { type Expect, matcherTests } from './expect-cases.ts';

expect.extend(matchers);
matcherTests('the expect of jest', expect as unknown as Expect);
