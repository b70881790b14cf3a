#!/usr/bin/env node
// CommonJS (see package.json beside): it starts without the ES module loader, and scripts that ask for the version,
// often, pay for nothing else.
'use strict';

if (process.argv.length === 3 && /^(-v|--version)$/.test(process.argv[2])) {
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  import('../dist/cli.js').then(async ({ main }) => {
    process.exitCode = await main(process);
  });
}
