import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** An object with these properties and no others; a name with "?" may be missing. */
function object(properties: Record<string, object>) {
  const names = Object.keys(properties);
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), properties[name]])),
    additionalProperties: false,
  };
}

const list = (items: object) => ({ type: 'array', items });
const listOfSome = (items: object) => ({ ...list(items), minItems: 1 });
const string = { type: 'string' };
const line = { type: 'integer', minimum: 1 };

/** What SARIF 2.1.0 (OASIS, section 3) requires of the parts that are written; unknown properties are refused. */
const message = object({ text: { type: 'string', minLength: 1 } });
const level = { enum: ['none', 'note', 'warning', 'error'] };

/** GitHub refuses a document in which a result has none: "locationFromSarifResult: expected at least one location". */
const locations = listOfSome(
  object({
    physicalLocation: object({
      artifactLocation: object({ uri: { type: 'string', format: 'uri-reference' }, 'uriBaseId?': string }),
      'region?': object({ startLine: line, 'startColumn?': line }),
    }),
    'logicalLocations?': list(object({ 'fullyQualifiedName?': string, 'kind?': string })),
  }),
);

const result = object({
  ...{ ruleId: string, ruleIndex: { type: 'integer', minimum: 0 }, level, message, locations },
  'partialFingerprints?': { type: 'object', additionalProperties: string },
});

const rule = object({ id: string, 'name?': string, 'shortDescription?': message, 'help?': message });

const run = object({
  tool: object({
    driver: object({
      name: string,
      'informationUri?': { type: 'string', pattern: '^https:' },
      'rules?': { ...list(rule), uniqueItems: true },
    }),
  }),
  'invocations?': list(
    object({
      executionSuccessful: { type: 'boolean' },
      'toolExecutionNotifications?': list(object({ 'level?': level, message, 'locations?': locations })),
    }),
  ),
  'columnKind?': { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
  results: list(result),
});

const SCHEMA = object({ '$schema?': string, version: { const: '2.1.0' }, runs: list(run) });

const ajv = new Ajv2020({ allErrors: true });
ajv.addFormat('uri-reference', (uri: string) => /^(?:[\w!$&'()*+,;=:@/?~.-]|%[0-9A-Fa-f]{2})*$/.test(uri));
const validate = ajv.compile(SCHEMA);

/** The one run of a document that keeps the rules. */
export function sarifRun(text: string) {
  const data = JSON.parse(text);
  assert.equal(validate(data), true, JSON.stringify(validate.errors));
  const [run] = data.runs;
  for (const { ruleId, ruleIndex } of run.results) assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId);
  return run;
}
