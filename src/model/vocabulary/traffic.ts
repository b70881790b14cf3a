/** Problems to look for in the traffic of a site; their texts are in the table of the rule book. */
export const TRAFFIC_RULES = [
  'slow-calls',
  'advanced-faster',
  'json-faster',
  'transfer-missing',
  'transfer-useless',
  'view-of-larger',
  'pooled-buffer',
  'queue-grows',
  'queue-long',
  'same-content',
  'same-object',
  'mostly-same',
  'chatty',
  'long-call',
  'not-received',
] as const;
export type TrafficRule = (typeof TRAFFIC_RULES)[number];
