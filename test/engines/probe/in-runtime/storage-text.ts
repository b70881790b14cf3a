/** How the running engine stores a value and everything below it, as text. Reads by descriptors only. */
import { bunJsc, parseObjectText } from '../../../../src/engines/probe/bun-storage.ts';
import { runningRuntime } from '../../../../src/engines/probe/process.ts';
import { v8Natives } from '../../../../src/engines/probe/process-probe.ts';

const jsc = runningRuntime().engine === 'jsc' ? await bunJsc() : null;
const natives = jsc === null ? v8Natives() : null;

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
export function storageText(value: unknown): string {
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
