import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutName, cutText, withoutContent } from '../../src/model/cut.ts';
import { ToolError } from '../../src/model/errors.ts';

test('a text of a thousand characters stays, a longer one becomes two lines', () => {
  assert.equal(cutText('x'.repeat(1000)), 'x'.repeat(1000));
  assert.equal(cutText('x'.repeat(5e6)), `${'x'.repeat(50)}… (5,000,000 characters) …${'x'.repeat(30)}`);
});

const NAMES: [what: string, name: string, cut: string | RegExp][] = [
  ['an ordinary name', 'rows', 'rows'],
  ['the longest that stays', 'x'.repeat(100), 'x'.repeat(100)],
  ['a long name', 'x'.repeat(101), /^x{80}…~[0-9a-f]{8}$/],
  ['four marks on a character', 'a\u0301\u0310\u0352\u0357', 'a\u0301\u0310\u0352\u0357'],
  ['marks that run down the page', `a${'\u0301'.repeat(200)}b`, /^a\u0301{4}b~[0-9a-f]{8}$/],
  ['nothing but marks', '\u0301'.repeat(1e6), /^\u0301{4}~[0-9a-f]{8}$/],
];

for (const [what, name, cut] of NAMES) {
  test(`${what} as a name`, () => {
    if (typeof cut === 'string') assert.equal(cutName(name), cut);
    else assert.match(cutName(name), cut);
  });
}

test('names that differ in the part that was cut stay distinct', () => {
  const names = ['a', 'b', 'c'].map((end) => cutName('x'.repeat(1e6) + end));
  assert.equal(new Set(names).size, names.length);
});

test('every error has cut facts, the names in a list included', () => {
  const names = Array.from({ length: 30 }, (_, i) => `${i}${'n'.repeat(2000)}`);
  const error = new ToolError('export-missing', { file: 'f'.repeat(1e6), export: 'e'.repeat(1e6), names });
  assert.ok(error.message.length < 4000, `${error.message.length}`);
  assert.match(error.message, /… \(10 more\)$/);
  assert.equal(error.facts.names?.length, 21);
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  throw new Error('it threw nothing');
}

const circle: Record<string, unknown> = {};
circle.SECRET = { 'alice@secret.org': [circle] };

const QUOTED: [what: string, message: string, kept: string | RegExp][] = [
  ...(
    [
      ['a text that starts like a name', 'SECRETtext is no JSON'],
      ['a longer text', '{"name": SECRETtext, "secret": 1, "more": [1, 2, 3, 4, 5, 6]}'],
      ['two lines', '{"a":\nSECRET\ntext}'],
      ['words that end like the message', '["a is not valid JSON SECRET" is not valid JSON SECRET'],
      ['a pair of surrogates', '😀SECRET'],
      ['a broken escape', '"SECRET\\x"'],
    ] as const
  ).map(([what, text]): [string, string, RegExp] => [
    `${what} as JSON`,
    messageOf(() => JSON.parse(text)),
    /^SyntaxError: .*(?:Unexpected token … is not valid JSON|in JSON at position \d+)/,
  ]),
  ['a circle', messageOf(() => JSON.stringify(circle)), 'TypeError: Converting circular structure to JSON'],
  ['a BigInt', messageOf(() => BigInt('SECRET')), 'SyntaxError: Cannot convert … to a BigInt'],
  [
    'a symbol',
    messageOf(() => structuredClone(Symbol('SECRET'))),
    'DataCloneError: A symbol could not be cloned.',
  ],
  [
    'a function',
    messageOf(() => structuredClone((x: unknown) => ({ x, SECRET: ' could not be cloned' }))),
    /^DataCloneError: A function could not be cloned.*could not be cloned\.$/,
  ],
  [
    'a function of a page',
    "Failed to execute 'postMessage' on 'Worker': async save() { SECRET } could not be cloned.",
    "Failed to execute 'postMessage' on 'Worker': A function could not be cloned.",
  ],
  ['a bare function', 'x => "SECRET" could not be cloned.', 'A function could not be cloned.'],
  [
    'what a process printed',
    '/app/a.js:3\nDOMException [DataCloneError]: () => {\n  SECRET } could not be cloned.\n    at /app/a.js:3:1',
    '/app/a.js:3\nDOMException [DataCloneError]: A function could not be cloned.\n    at /app/a.js:3:1',
  ],
  [
    'a name, JavaScriptCore',
    'SyntaxError: JSON Parse error: Unexpected identifier "SECRETtext" (line 1, column 29)',
    'SyntaxError: JSON Parse error: Unexpected identifier … (line 1, column 29)',
  ],
  [
    'a token, JavaScriptCore',
    "JSON Parse error: Unrecognized token '@'",
    'JSON Parse error: Unrecognized token …',
  ],
  [
    'an escape, JavaScriptCore',
    'JSON Parse error: "\\uSECR" is not a valid unicode escape',
    'JSON Parse error: … is not a valid unicode escape',
  ],
  [
    'a regular expression',
    messageOf(() => new RegExp(['(SECRET'].join(''))),
    'SyntaxError: Invalid regular expression: …: Unterminated group',
  ],
  [
    'a currency',
    messageOf(() => new Intl.NumberFormat('en', { style: 'currency', currency: 'SECRET' })),
    'RangeError: Invalid currency code: …',
  ],
  [
    'a time zone',
    messageOf(() => new Intl.DateTimeFormat('en', { timeZone: 'SECRET' })),
    'RangeError: Invalid time zone specified: …',
  ],
  ['an address, Deno', "TypeError: Invalid URL: 'SECRET://[x'", 'TypeError: Invalid URL: …'],
  [
    'an address, JavaScriptCore',
    'TypeError: "SECRET://[x" cannot be parsed as a URL.',
    'TypeError: … cannot be parsed as a URL.',
  ],
];

for (const [what, message, kept] of QUOTED) {
  test(`content that an engine quotes is left out: ${what}`, () => {
    const short = withoutContent(message);
    if (typeof kept === 'string') assert.equal(short, kept);
    else assert.match(short, kept);
    assert.doesNotMatch(short, /secret/i);
    assert.equal(withoutContent(short), short, 'once more it is the same');
    assert.equal(
      withoutContent(`rows.mjs: the factory 'a' threw: ${short}`),
      `rows.mjs: the factory 'a' threw: ${short}`,
    );
    const { facts } = new ToolError('measure-failed', { detail: message });
    assert.equal(facts.detail, short);
  });
}

test('messages that quote nothing stay', () => {
  const kinds = ['#<Map>', '[object Array]', 'Proxy object', 'An object', 'An ArrayBuffer is detached and'];
  const messages = [
    ...kinds.map((kind) => `DataCloneError: ${kind} could not be cloned.`),
    'DataCloneError: The object can not be cloned.',
    "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    "SyntaxError: JSON Parse error: Expected '}'",
    "JSON.parse: expected property name or '}' at line 1 column 2 of the JSON data",
    'Do not know how to serialize a BigInt',
  ];
  for (const message of messages) assert.equal(withoutContent(message), message);
});
