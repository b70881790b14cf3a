/** Each format of `check`: broken limits, no limit, hostile keys, payloads that the baseline does not match. */
import { CHECK_FORMATS, type CheckFormat } from '../../src/model/gate/limits.ts';
import { CONFIG, change, config, hostile, nothing, ROWS, regressed } from './check-scenarios.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

const NO_LIMIT = 'Nothing was checked: no limit applies.';
const EMPTY: Record<CheckFormat, string[]> = {
  ...{
    terminal: [NO_LIMIT],
    github: [`clone-prof: ${NO_LIMIT}`],
    markdown: ['### ✅ clone-prof check', NO_LIMIT],
  },
  junit: ['<testsuites name="clone-prof" tests="0" failures="0" errors="0" skipped="0"> </testsuites>'],
  ...{ json: ['"passed": true', '"results": []'], sarif: ['"version": "2.1.0"', '"results": []'] },
  benchmark: ['"name": "rows · bun@1 · bytes"'],
};
const PEOPLE = "not in the baseline. Renamed? 'rows' has equal facts";
const GONE = "in the baseline, and no longer checked. Renamed? 'people' has equal facts";
const RENAMED: Record<CheckFormat, string[]> = {
  terminal: [`error: baseline: ${PEOPLE}`, `error: baseline: ${GONE}`],
  github: [
    `::baseline: ${PEOPLE}.`,
    `::error file=clone-prof.baseline.json,title=clone-prof%3A rows on bun@1.4.5::baseline: ${GONE}.`,
  ],
  json: ['"payload": "people"', '"outcome": "unmatched"', '"payload": "rows"', '"outcome": "unmatched"'],
  junit: [
    '&#39;rows&#39; has equal facts" type="failure">',
    '<testcase classname="rows on bun@1.4.5" name="baseline" file="clone-prof.baseline.json"><failure',
  ],
  markdown: [
    '| ❌ people on bun',
    '| baseline | not in the baseline.',
    '| ❌ rows on bun',
    '| baseline | in the baseline,',
  ],
  sarif: [`people on bun@1.4.5: baseline: ${PEOPLE}.`, `rows on bun@1.4.5: baseline: ${GONE}.`],
  benchmark: [
    '{ "name": "people · bun@1 · bytes", "unit": "B", "value": 46, "extra": "in-memory, dense-array" }',
  ],
};

/** What programs read is checked against its schema in reporters/check; a person reads the others. */
const BROKEN: Partial<Record<CheckFormat, string[]>> = {
  json: [
    ...['"passed": false', '"limit": "class"', '"outcome": "failed"', '"written": "as in the baseline"'],
    ...['"rule": "jsc/element-nested-value"', '"file": "rows.json"', '"line": 3'],
    ...['"limit": "maxBytes"', '"expected": 50', '"actual": 62', '"was": 46', '"limit": "maxNodes"'],
  ],
  sarif: [
    ...['"id": "class"', '"id": "config"', '"executionSuccessful": true', '"ruleId": "class"'],
    'rows on bun@1.4.5: class: in-memory -> serialized, limit as in the baseline at $[1].geo',
    ...['"uri": "rows.json"', '"startLine": 3', '"fullyQualifiedName": "$[1].geo"'],
    String.raw`"limit/v1": "rows\\nbun@1.4.5\\nworker\\nclass\\n$[1].geo\\njsc/element-nested-value"`,
    ...['"ruleId": "maxBytes"', '"ruleId": "maxNodes"'],
  ],
  benchmark: ['"name": "rows · bun@1 · bytes", "unit": "B", "value": 62, "extra": "serialized, '],
};
/** Its strings are those of JSON, but for what a CI reads in a log. */
const HOSTILE_KEYS: Partial<Record<CheckFormat, string[]>> = {
  json: ['"path": "$[0][\\":\\u003aerror:\\u003ax\\"]"'],
  sarif: [
    String.raw`limit in-memory at $[0][\":\\u003aerror:\\u003ax\"]: object inside a row`,
    '"startLine": 1',
  ],
  benchmark: ['"name": "rows · bun@1 · bytes"'],
};
const said = (says: string[] | undefined) => says && { code: 1, says };

const perFormat = CHECK_FORMATS.flatMap((format): Transcript[] => [
  { name: `check-${format}`, args: `check -f ${format}`, scenario: regressed, ...said(BROKEN[format]) },
  { name: `check-${format}-empty`, args: `check -f ${format}`, says: EMPTY[format], scenario: nothing },
  {
    name: `check-${format}-hostile`,
    args: `check -f ${format}`,
    scenario: hostile,
    ...said(HOSTILE_KEYS[format]),
  },
]);

testTranscripts([
  ...perFormat,
  ...CHECK_FORMATS.map((format) => ({
    name: `check-${format}-unmatched`,
    ...{ args: `check -f ${format}`, code: 1, says: RENAMED[format] },
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('people.json') }),
  })),
]);
