/**
 * Faults that the compiler must see. Nothing runs this file: `npm run check:types` fails where a line that is marked as
 * wrong is right, as in a table that need not be complete any more.
 */

import { SERIALIZERS } from '../../src/app/sources/tries.ts';
import { ENGINES } from '../../src/engines/index.ts';
import { ToolError } from '../../src/model/errors.ts';
import type { Rule, When } from '../../src/model/rules/rule.ts';
import { BROWSERS } from '../../src/runtimes/browser/kinds.ts';
import { RUNTIME_KINDS } from '../../src/runtimes/process/kinds.ts';
import { readElements } from '../../src/value/read/intrinsics.ts';
import { CASES } from '../codec/cases/index.ts';

// @ts-expect-error its message names a file
export const unnamed = new ToolError('json-malformed', {});
// @ts-expect-error one of the two has a detail
export const either = new ToolError(CASES ? 'file-missing' : 'file-unreadable', { file: 'a.json' });
// @ts-expect-error no such error
export const unknown = new ToolError('it-broke', { detail: 'x' });

const { share: _cases, ...otherCases } = CASES;
// @ts-expect-error a remedy without a case
export const cases: typeof CASES = otherCases;

const { webkit: _webkit, ...otherEngines } = ENGINES;
// @ts-expect-error an engine without rules
export const engines: typeof ENGINES = otherEngines;

const { deno: _deno, ...otherKinds } = RUNTIME_KINDS;
// @ts-expect-error a runtime that nothing starts
export const kinds: typeof RUNTIME_KINDS = otherKinds;

const { firefox: _firefox, ...otherBrowsers } = BROWSERS;
// @ts-expect-error a browser that nothing starts
export const browsers: typeof BROWSERS = otherBrowsers;

const { devalue: _devalue, ...otherSerializers } = SERIALIZERS;
// @ts-expect-error a serializer that --try cannot name
export const serializers: typeof SERIALIZERS = otherSerializers;

// @ts-expect-error rules are data: a built-in function is none
export const when: When = { kind: Array.isArray };

// @ts-expect-error a rule has a source
export const rule: Rule = { id: 'v8/x', level: 'cost', at: 'root', when: {}, title: 'x', why: 'x' };

// @ts-expect-error no such level
export const level: Rule['level'] = 'terrible';

// @ts-expect-error arrays of the user's are read, never sorted
export const sorted = readElements([2, 1]).sort();
