/**
 * Runs inside the probed runtime: looks at thousands of values until the code that looks is compiled, and prints where the
 * engine stores a value differently after that. Each value is stored as one that nobody looked at: the same object, the
 * next one of its factory, and the first one of a new factory.
 */

// First, before anything else has run.
import './untouched-values.ts';
import { bunJsc, parseObjectText } from '../../../../src/engines/probe/bun-storage.ts';
import { runningRuntime } from '../../../../src/engines/probe/process.ts';
import { v8Natives } from '../../../../src/engines/probe/process-probe.ts';
import { classify } from '../../../../src/faces/library/classify.ts';
import { compare } from '../../../../src/value/compare/compare.ts';
import { describe } from '../../../../src/value/describe/describe.ts';
import { probeFor, runningProbe } from '../../../support/probe.ts';
import { FIRST_VALUES, factoryOf, laterValue, SOURCES } from './untouched-values.ts';

const { engine } = runningRuntime();
const jsc = engine === 'jsc' ? await bunJsc() : null;
const natives = jsc === null ? v8Natives() : null;

/** How the running engine stores a value. Reads by descriptors only. */
function own(value: object): string {
  if (jsc !== null) {
    const { mode = '', uncacheable = false } = parseObjectText(jsc.jscDescribe(value)) ?? {};
    return `${mode}${uncacheable ? ' uncacheable' : ''}`;
  }
  if (natives === null) throw new Error('V8 does not compile its natives');
  const tests = Array.isArray(value)
    ? ([
        'hasFastElements',
        'hasHoleyElements',
        'hasSmiElements',
        'hasDoubleElements',
        'hasDictionaryElements',
      ] as const)
    : (['hasFastProperties'] as const);
  let text = '';
  for (const test of tests) if (natives[test](value)) text += `${test.slice(3)} `;
  return text;
}

/** "ArrayWithInt32", "ArrayWithContiguous(ArrayWithDouble)"; "" for a primitive. */
function storageText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  let below = '';
  for (const key of Reflect.ownKeys(value))
    below += storageText(Reflect.getOwnPropertyDescriptor(value, key)!.value);
  if (value instanceof Map || value instanceof Set)
    value.forEach((member: unknown) => {
      below += storageText(member);
    });
  return `${own(value)}${below === '' ? '' : `(${below})`}`;
}

const [rounds = '100'] = process.argv.slice(2);
const probe = await probeFor();
const changed = new Map<string, string>();

function note(what: string, source: string, before: string, after: string): void {
  if (before !== after) changed.set(`${what}: ${source}`, `${before} became ${after}`);
}

async function look(source: string, fromJson: boolean): Promise<void> {
  const [watched, control, posted] = [factoryOf(source), factoryOf(source), factoryOf(source)];
  for (const factory of [watched, control]) factory();
  const [value, other] = [watched(), watched()];
  for (let i = 0; i < 2; i++) control();
  const before = storageText(value);
  const shape = describe(value, probe, { fromJson });
  classify(value);
  classify(value, { runtime: engine === 'v8' ? 'bun' : 'node' });
  compare(value, other);
  note('looked at', source, before, storageText(value));
  await runningProbe().confirm(async () => posted(), shape, 'message-port');
  note('the next one', source, storageText(control()), storageText(watched()));
}

for (let round = 0; round < Number(rounds); round++)
  for (const source of SOURCES) {
    await look(source, false);
    if (source.startsWith('JSON')) await look(source, true);
  }
for (let i = 0; i < SOURCES.length; i++)
  note('a new factory', SOURCES[i]!, storageText(FIRST_VALUES[i]), storageText(laterValue(SOURCES[i]!)));
console.log(JSON.stringify(Object.fromEntries(changed)));
process.exit(0);
