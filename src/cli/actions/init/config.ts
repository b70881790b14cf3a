/** The config that `check --init` writes. */

const EXAMPLE = 'fixtures/rows.json';
const IMPORT = "import { defineConfig } from 'clone-prof';";

/** In TypeScript: the payloads found, and every limit with one line on what it means. */
export function typedConfig(inputs: readonly string[]): string {
  const payloads = inputs.map((input) => `    { input: ${JSON.stringify(input)} },`);
  const example = `    // { input: ${JSON.stringify(EXAMPLE)} },`;
  return `// Limits on what this project posts between threads. Run: npx clone-prof check --base main
${IMPORT}

export default defineConfig({
  // "recommended" or "strict": the limits that are not named below.
  extends: 'recommended',

  // Where to check: node, bun@1.4, deno, a path to a binary.
  runtimes: ['node'],

  // Without --base: the facts you last accepted, written by npx clone-prof baseline. A file that is named here must be
  // there.
  // baseline: 'clone-prof.baseline.json',

  // Sample payloads: .json, .ndjson, .txt, or a module whose exports are payloads or make them.
  payloads: [
${(payloads.length > 0 ? payloads : [example]).join('\n')}
    // One with limits of its own:
    // { id: 'rows', input: 'fixtures/rows.mjs', export: 'rows', runtimes: ['node', 'bun@1.4'],
    //   limits: { class: 'in-memory', maxBytes: '64 kB' } },
  ],

  // A limit is a value, which is an error to break, or ['warn', value], or 'off'. Growth ('+10%') and 'baseline' are
  // relative to the commit of --base, else to the file that npx clone-prof baseline writes.
  limits: {
    // class: 'baseline', //     no slower path than before; or a class: 'in-memory', 'serialized'
    // maxBytes: '64 kB', //     or '+10%'
    // maxNodes: 1000,
    // maxDepth: 4,
    // maxAmplification: 1.5, // bytes copied over bytes meant
    // lossy: 'error', //        what does not arrive as it was sent
    // rejected: 'error', //     what postMessage refuses
    // transfer: 'all', //       every buffer is among the paths of \`transfer\`
    // time: '+10%', //          old and new payload, measured in the same run
  },
});
`;
}

/** Editors complete and explain the keys by the schema. */
export function jsonConfig(inputs: readonly string[], schema: string): string {
  const payloads = inputs.map((input) => ({ input }));
  const config = { $schema: schema, extends: 'recommended', runtimes: ['node'], payloads, limits: {} };
  return `${JSON.stringify(config, null, 2)}\n`;
}
