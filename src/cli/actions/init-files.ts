/** The files that `check --init` writes. */

const EXAMPLE = 'fixtures/rows.json';

/** A first config: the payloads found, and every limit with one line on what it means. */
export function configTemplate(inputs: readonly string[]): string {
  const payloads = inputs.map((input) => `    { input: ${JSON.stringify(input)} },`);
  const example = `    // { input: ${JSON.stringify(EXAMPLE)} },`;
  return `// Limits on what this project posts between threads. Run: npx clone-prof check
export default {
  // "recommended" or "strict": the limits that are not named below.
  extends: 'recommended',

  // Where to check: node, bun@1.4, deno, a path to a binary.
  runtimes: ['node'],

  // The facts you last accepted, written by: npx clone-prof baseline. A file that is named here must be there.
  // baseline: 'clone-prof.baseline.json',

  // Sample payloads: .json, .ndjson, .txt, or a module whose exports are payloads or make them.
  payloads: [
${(payloads.length > 0 ? payloads : [example]).join('\n')}
    // One with limits of its own:
    // { id: 'rows', input: 'fixtures/rows.mjs', export: 'rows', runtimes: ['node', 'bun@1.4'],
    //   limits: { class: 'in-memory', maxBytes: '64 kB' } },
  ],

  // A limit is a value, which is an error to break, or ['warn', value], or 'off'.
  limits: {
    // class: 'baseline', //     no slower path than in the baseline; or a class: 'in-memory', 'serialized'
    // maxBytes: '64 kB', //     or '+10%': against the baseline
    // maxNodes: 1000,
    // maxDepth: 4,
    // maxAmplification: 1.5, // bytes copied over bytes meant
    // lossy: 'error', //        what does not arrive as it was sent
    // rejected: 'error', //     what postMessage refuses
    // transfer: 'all', //       every buffer is among the paths of \`transfer\`
    // time: '+10%', //          against the payload of the baseline, both measured in the same run
  },
};
`;
}

/** Needs no token: annotations and the job summary work on pull requests from forks too. */
export function workflowTemplate(): string {
  return `name: clone-prof
on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci || npm install
      - run: npx --yes clone-prof check --format terminal github
`;
}
