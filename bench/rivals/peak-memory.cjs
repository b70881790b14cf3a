// Preloaded into each Node of a run: leaves the peak of its resident memory, kB, in a file named after its script.
'use strict';
const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { basename, join } = require('node:path');

const folder = process.env.CLONE_PROF_BENCH_PEAKS;
if (folder && require('node:worker_threads').isMainThread) {
  const script = process.argv[1] ? basename(process.argv[1]) : 'inline';
  const leave = () =>
    writeFileSync(join(folder, `${script}-${process.pid}`), String(process.resourceUsage().maxRSS));
  process.on('exit', leave);
  // A guest is ended from outside as soon as it has answered.
  const { write } = Socket.prototype;
  Socket.prototype.write = function (...args) {
    leave();
    return write.apply(this, args);
  };
}
