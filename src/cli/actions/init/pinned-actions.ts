/**
 * The commits of the actions that a workflow of `check --init` uses, each with its release: a tag can be moved to other code.
 * `git ls-remote https://github.com/<action> refs/tags/<release>` prints the commit of a newer one.
 */
export const PINNED = {
  'actions/checkout': '08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  'actions/setup-node': 'a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  'actions/upload-artifact': 'ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  'actions/download-artifact': 'd3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
  'pnpm/action-setup': 'a7487c7e89a18df4991f7f222e4898a00d66ddda # v4.1.0',
  'oven-sh/setup-bun': '735343b667d3e6f658f44d0eca948eb6282f2b76 # v2.0.2',
} as const;
