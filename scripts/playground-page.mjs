import { createHash } from 'node:crypto';

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Of the network nothing may be asked, by nobody: what is allowed are this script and this style sheet, and what the page
 * itself made (`blob:`). `unsafe-eval` is for rewrites, whose code is compiled as it is shown; workers have the policy
 * of the page that made them.
 */
const policyOf = (script, style) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)} blob: 'unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The template with its parts filled in. */
export function playgroundPage(template, { script, style, version, licences }) {
  if (script.includes('</script') || style.includes('</style') || licences.includes('-->'))
    throw new Error('a part would end its element');
  const parts = { script, style, version, licences, policy: policyOf(script, style) };
  return template.replace(/%(script|style|version|licences|policy)%/g, (_, name) => parts[name]);
}
