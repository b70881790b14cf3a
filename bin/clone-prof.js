#!/usr/bin/env node
// CommonJS (see package.json beside): it starts without the ES module loader, and scripts that ask for the version,
// often, pay for nothing else.
'use strict';

if (process.argv.length === 3 && /^(-v|--version)$/.test(process.argv[2])) {
  process.stdout.on('error', ({ code }) => {
    if (code !== 'EPIPE') failed(2, `stdout: cannot be written (${code})`);
  });
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  import('../dist/cli.js')
    .then(async ({ main }) => {
      process.exitCode = await main(process);
    })
    // Not exit code 1, which says that the gate failed.
    .catch((error) => failed(3, `does not start: ${JSON.stringify(String(error))}`));
}

function failed(code, reason) {
  process.stderr.write(`clone-prof: ${reason}\n`);
  process.exitCode = code;
}
