import assert from 'node:assert/strict';
import { z } from 'zod';

// What SARIF 2.1.0 (OASIS, section 3) requires of the parts that are written; unknown properties are refused.

const text = z.string();
const message = z.strictObject({ text: text.min(1) });
const level = z.enum(['none', 'note', 'warning', 'error']);
const line = z.int().min(1);
// Brackets enclose an IPv6 host, and stand nowhere else (RFC 3986, section 3.2.2).
const uri = text.regex(/^(?:https?:\/\/\[[\da-f:.]+\])?(?:[\w!$&'()*+,;=:@/?#~.-]|%[0-9A-Fa-f]{2})*$/);
const region = z.strictObject({ startLine: line, startColumn: line.optional() });
const place = z.strictObject({
  artifactLocation: z.strictObject({ uri, uriBaseId: text.optional() }),
  region: region.optional(),
});
const inValue = z.strictObject({ fullyQualifiedName: text.optional(), kind: text.optional() });

/** GitHub refuses a document in which a result has none: "locationFromSarifResult: expected at least one location". */
const locations = z
  .array(z.strictObject({ physicalLocation: place, logicalLocations: z.array(inValue).optional() }))
  .min(1);

const rule = z.strictObject({ id: text, name: text, shortDescription: message, help: message.optional() });
const driver = z.strictObject({ name: text, informationUri: text.regex(/^https:/), rules: z.array(rule) });
const notification = z.strictObject({ level, message, locations });
const invocation = z.strictObject({
  executionSuccessful: z.boolean(),
  toolExecutionNotifications: z.array(notification),
});
const result = z.strictObject({
  ...{ ruleId: text, ruleIndex: z.int().min(0), level, message, locations },
  partialFingerprints: z.record(text, text).optional(),
});
const run = z.strictObject({
  tool: z.strictObject({ driver }),
  invocations: z.array(invocation),
  columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
  results: z.array(result),
});
const schema = z.strictObject({ $schema: text, version: z.literal('2.1.0'), runs: z.array(run).length(1) });

/** The one run of a document that keeps the rules. */
export function sarifRun(document: string) {
  const data = JSON.parse(document);
  schema.parse(data);
  const [only] = data.runs;
  const { rules } = only.tool.driver;
  for (const { ruleId, ruleIndex } of only.results) assert.equal(rules[ruleIndex].id, ruleId);
  return only;
}
