/**
 * Answers of a guest that are none: its run fails with the reason, the payload beside it is reported. The fake runtime
 * answers through the checks that real guests pass.
 */
import type { NumberedRequest } from '../../src/model/wire/wire.ts';
import { type QuickCase, testQuick } from './corpus.ts';

type Answer = Record<string, unknown>;

/** What arrives for a request about the payload "bad". */
interface Lie {
  name: string;
  /** The request that is answered wrongly. */
  to: NumberedRequest['type'];
  with: (answer: Answer, ask: NumberedRequest) => unknown[];
  /** The reason that is told; null: the answer is taken, without the part that is wrong. */
  reason: RegExp | null;
  never?: RegExp;
  values?: Record<string, unknown>;
  file?: string;
}

const changed = (path: string, value: unknown) => (answer: Answer) => {
  const copy = structuredClone(answer);
  const steps = path.split('.');
  const owner = steps.slice(0, -1).reduce((at, step) => at[step] as Answer, copy);
  owner[steps.at(-1)!] = value;
  return [copy];
};
const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
const polluting = JSON.parse(
  '{"__proto__": {"polluted": "yes"}, "constructor": {"polluted": "yes"}}',
) as Answer;
const LONG = 'long '.repeat(200_000);

const LIES: Lie[] = [
  { name: 'null', to: 'describe', with: () => [null], reason: /an object expected/ },
  { name: 'a number', to: 'describe', with: () => [7], reason: /an object expected/ },
  { name: 'a text', to: 'describe', with: () => ['ok'], reason: /an object expected/ },
  { name: 'a list', to: 'describe', with: (answer) => [[answer]], reason: /an object expected/ },
  { name: 'deep nesting', to: 'describe', with: () => [deep], reason: /an object expected/ },
  { name: 'no id', to: 'describe', with: changed('id', undefined), reason: /\.id: a number expected/ },
  { name: 'an id as text', to: 'describe', with: changed('id', '1'), reason: /\.id: a number expected/ },
  {
    name: 'the id of no request',
    to: 'describe',
    with: changed('id', 99),
    reason: /request 99, which is not open/,
  },
  { name: 'no type', to: 'describe', with: changed('type', undefined), reason: /\.type: a text expected/ },
  {
    name: 'the answer to another kind of request',
    to: 'describe',
    with: ({ id }) => [{ type: 'sample', id, json: '{}' }],
    reason: /\.type: 'described' expected/,
  },
  { name: 'no shape', to: 'describe', with: changed('shape', null), reason: /\.shape: an object expected/ },
  {
    name: 'patterns that are an object',
    to: 'describe',
    with: changed('shape.patterns', { length: 1e9 }),
    reason: /\.shape\.patterns: a list expected/,
  },
  {
    name: 'a kind of value that there is not',
    to: 'describe',
    with: changed('shape.patterns.0.kind', 'constructor'),
    reason: /\.patterns\[0\]\.kind: a known name expected/,
  },
  {
    name: 'flags that there are not',
    to: 'describe',
    with: changed('shape.patterns.0.flags', ['__proto__']),
    reason: /\.flags\[0\]: a known name expected/,
  },
  { name: 'a count as text', to: 'describe', with: changed('shape.nodes', '9'), reason: /\.nodes: a number/ },
  {
    name: 'a number that is NaN',
    to: 'describe',
    with: changed('message.0.bytes', NaN),
    reason: /\.message\[0\]\.bytes: a number/,
  },
  {
    name: 'keys of prototypes',
    to: 'describe',
    with: (answer) => [{ ...polluting, ...answer, shape: { ...polluting, ...(answer.shape as Answer) } }],
    reason: null,
    never: /polluted/,
  },
  {
    name: 'two answers to one request',
    to: 'describe',
    with: (answer) => [answer, changed('shape.nodes', 31337)(answer)[0]],
    reason: null,
    never: /31,?337/,
  },
  {
    name: 'a failure with facts of other types',
    to: 'describe',
    with: ({ id }) => [
      { type: 'failed', id, code: 'factory-threw', message: 'x', facts: { detail: { a: 1 } } },
    ],
    reason: /\.facts\.detail: a text expected/,
  },
  {
    name: 'a stage that there is not',
    to: 'describe',
    with: ({ id }) => [{ type: 'progress', id, stage: 'toString' }],
    reason: /\.stage: a known name expected/,
  },
  {
    name: 'samples that are texts',
    to: 'measure',
    with: changed('sets.0.roundTrip', ['fast']),
    reason: /\.sets\[0\]\.roundTrip: a list of numbers/,
  },
  {
    name: 'samples of a variant that nobody asked for',
    to: 'measure',
    with: changed('sets.0.variant', 'constructor'),
    reason: /\.sets\[0\]\.variant: a known name/,
  },
];

const ROWS: Record<string, unknown>[] = Array.from({ length: 8 }, (_, id) => ({ id, geo: { x: id } }));

function caseOf({ name, to, with: lie, reason, never }: Lie): QuickCase {
  return {
    name: `${to}: ${name}`,
    args: ['analyze', 'bad.json', 'good.json', ...(to === 'measure' ? ['-b', '200ms'] : ['--no-measure'])],
    files: { 'bad.json': JSON.stringify(ROWS), 'good.json': JSON.stringify(ROWS) },
    script: {
      lies: (ask, answer) =>
        ask.type === to && 'recipe' in ask && ask.recipe.id === 'bad' ? lie(answer as Answer, ask) : null,
    },
    columns: 240,
    exit: reason === null ? 0 : 3,
    stderr: [],
    mostLines: 4,
    stdout: reason === null ? /good\.json · / : new RegExp(`${reason.source}[^]*good\\.json · `),
    ...(never ? { never } : {}),
  };
}

testQuick('wire', LIES.map(caseOf));

testQuick('wire', [
  {
    name: 'opened: the host takes its own path of the file',
    args: ['analyze', 'm.mjs', '--no-measure', '-f', 'json'],
    files: { 'm.mjs': 'export const a = [1]' },
    script: {
      values: { 'm#a': [1] },
      lies: (ask, answer) =>
        ask.type === 'open' ? changed('payloads.0.build.file', '/etc/passwd')(answer as Answer) : null,
    },
    exit: 0,
    stderr: null,
    stdout: /"id": "m#a"/,
    never: /passwd/,
  },
  {
    name: 'opened: an id that is no text',
    args: ['analyze', 'm.mjs', '--no-measure'],
    files: { 'm.mjs': 'export const a = [1]' },
    script: {
      values: { 'm#a': [1] },
      lies: (ask, answer) =>
        ask.type === 'open' ? changed('payloads.0.id', { a: 1 })(answer as Answer) : null,
    },
    columns: 240,
    exit: 3,
    stderr: [],
    mostLines: 3,
    stdout: /\.payloads\[0\]\.id: a text expected/,
  },
  {
    name: 'described: texts of a megabyte are cut',
    args: ['analyze', 'a.json', '--no-measure', '-f', 'json'],
    files: { 'a.json': '[1]' },
    script: {
      lies: (ask, answer) =>
        ask.type === 'describe' ? changed('shape.patterns.0.tag', LONG)(answer as Answer) : null,
    },
    exit: 0,
    stderr: null,
    stdout: /\(1,000,000 characters\)/,
    never: /(?:long ){50}/,
  },
  {
    name: 'failed: a message of a megabyte is cut',
    args: ['analyze', 'a.json', '--no-measure'],
    files: { 'a.json': '[1]' },
    script: {
      lies: (ask) => [
        {
          type: 'failed',
          id: ask.id,
          code: 'factory-threw',
          message: LONG,
          facts: { file: 'a.json', detail: LONG },
        },
      ],
    },
    exit: 3,
    stderr: [],
    mostLines: 2,
    stdout: /a\.json: the factory/,
    never: /(?:long\s+){50}/,
  },
]);
