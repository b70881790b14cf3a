// Preloaded into each Node of a run: leaves the peak of its resident memory, kB, in a file named after its script.
'use strict';
const { writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

const folder = process.env.CLONE_PROF_BENCH_PEAKS;
if (folder && require('node:worker_threads').isMainThread) {
  process.on('exit', () => {
    const script = process.argv[1] ? basename(process.argv[1]) : 'inline';
    writeFileSync(join(folder, `${script}-${process.pid}`), String(process.resourceUsage().maxRSS));
  });
}
