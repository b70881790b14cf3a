import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What SARIF 2.1.0 (OASIS, section 3) requires of the parts that are written; unknown properties are refused. */
const message = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1 } },
  additionalProperties: false,
};

const location = {
  type: 'object',
  required: ['physicalLocation'],
  properties: {
    physicalLocation: {
      type: 'object',
      required: ['artifactLocation'],
      properties: {
        artifactLocation: {
          type: 'object',
          required: ['uri'],
          properties: { uri: { type: 'string', format: 'uri-reference' }, uriBaseId: { type: 'string' } },
          additionalProperties: false,
        },
        region: {
          type: 'object',
          required: ['startLine'],
          properties: {
            startLine: { type: 'integer', minimum: 1 },
            startColumn: { type: 'integer', minimum: 1 },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    logicalLocations: {
      type: 'array',
      items: {
        type: 'object',
        properties: { fullyQualifiedName: { type: 'string' }, kind: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const level = { enum: ['none', 'note', 'warning', 'error'] };

const result = {
  type: 'object',
  required: ['ruleId', 'ruleIndex', 'level', 'message', 'locations'],
  properties: {
    ruleId: { type: 'string' },
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    locations: { type: 'array', items: location },
    partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
  },
  additionalProperties: false,
};

const notification = {
  type: 'object',
  required: ['message'],
  properties: { level, message, locations: { type: 'array', items: location } },
  additionalProperties: false,
};

const rule = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, shortDescription: message, help: message },
  additionalProperties: false,
};

const run = {
  type: 'object',
  required: ['tool', 'results'],
  properties: {
    tool: {
      type: 'object',
      required: ['driver'],
      properties: {
        driver: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            informationUri: { type: 'string', pattern: '^https:' },
            rules: { type: 'array', items: rule, uniqueItems: true },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    invocations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['executionSuccessful'],
        properties: {
          executionSuccessful: { type: 'boolean' },
          toolExecutionNotifications: { type: 'array', items: notification },
        },
        additionalProperties: false,
      },
    },
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    results: { type: 'array', items: result },
  },
  additionalProperties: false,
};

const SCHEMA = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: { type: 'array', items: run },
  },
  additionalProperties: false,
};

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
