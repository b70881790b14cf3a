import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import { matchers } from '../../../src/faces/matchers/index.ts';
import { type Expect, matcherTests } from './expect-cases.ts';

/** `extend` as the expect of vitest calls it. */
interface Extensible {
  extend(expect: unknown, added: typeof matchers): void;
}

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
(chai.expect as unknown as Extensible).extend(chai.expect, matchers);
matcherTests('the expect of vitest', chai.expect as unknown as Expect);
