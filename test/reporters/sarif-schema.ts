/** What SARIF 2.1.0 (OASIS, section 3) requires of the parts that a check writes; unknown properties are refused. */
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
          properties: { startLine: { type: 'integer', minimum: 1 } },
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
  properties: { id: { type: 'string' }, name: { type: 'string' }, shortDescription: message },
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

export const SARIF_SCHEMA = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: { type: 'array', items: run },
  },
  additionalProperties: false,
};
