import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allProgramsIn } from '../../support/programs.ts';
import { missing, type RuntimeSpec } from '../../support/runtimes.ts';
import { isWhole, usually } from '../../support/whole.ts';
import { bare, type Program, programOn, recorded, withoutFrames } from './recorded.ts';

const RUNTIMES = usually<RuntimeSpec>(
  ['node', 'node@26.10.0', 'bun@1.4.5', 'deno@2.9.6'],
  ['node@22.23.3', 'node@24.21.0', 'bun@1.2.20'],
);

/** Each prints what a program can see of itself; with the tap it prints the same. */
const PROGRAMS = allProgramsIn(new URL('./stealth.md', import.meta.url));

/** On Bun and Deno: what they call blobs, and columns in code given as text, differ by themselves; they refuse other calls. */
const ON_NODE =
  /^failing\('(?:deep|no argument|worker|no new)'|^const (?:posts|stackIn|texts) = |^function deep/;

const withoutNode = (files: Program['files']): Program['files'] => {
  const lines = files['main.cjs']!.replace('.then(texts)', '').split('\n');
  return { ...files, 'main.cjs': lines.filter((line) => !ON_NODE.test(line)).join('\n') };
};

test('messages of a program that replaced built-ins are counted, and the gap is reported', async () => {
  const main = `const { push } = Array.prototype; Array.prototype.push = function (...all) { return push.apply(this, all); };
for (let i = 0; i < 30; i++) structuredClone({ i });`;
  const { messages, header } = await recorded({ files: { 'main.cjs': main } });
  const actual = messages.map(({ count, sample }) => [count, sample]);
  assert.deepEqual(actual, [[30, null]]);
  const what = 'messages not described: the program has replaced built-ins';
  assert.deepEqual(header.gaps, [{ what, count: 1 }]);
});

/** What the oldest Node shows of stacks and of changed built-ins is its own; the oldest Bun names a function in another way. */
function isOf(spec: RuntimeSpec, name: string): boolean {
  if (spec === 'bun@1.2.20') return !name.startsWith('what');
  return isWhole || spec !== 'node' || /stacks in|changed/.test(name);
}

describe('a recorded program prints the same', () => {
  for (const spec of RUNTIMES)
    for (const [name, onNode] of Object.entries(PROGRAMS)) {
      if (!isOf(spec, name)) continue;
      test(`${spec}: ${name}`, { skip: missing(spec) }, async () => {
        const files = name.startsWith('stacks') && !spec.startsWith('node') ? withoutNode(onNode) : onNode;
        const program = programOn(spec, files);
        const [without, withTap] = await Promise.all([bare(program), recorded(program)]);
        assert.equal(withoutFrames(withTap.stdout), without.stdout);
        assert.equal(withTap.code, without.code);
        assert.notEqual(without.stdout, '', without.stderr);
        assert.ok(withTap.threads.length > 0, 'it was not recorded');
      });
    }
});
