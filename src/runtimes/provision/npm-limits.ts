/** What npm may bring: a registry, or what is between, may send without an end. */
import { mib } from '../../machine/given-file.ts';

export const tooMuch = (what: string, mostBytes: number): string =>
  `${what} more than ${mib(mostBytes)}. See which registry it is: npm config get registry`;

/** For npm's process: how many bytes it may bring, and what it says of more. */
export const limitIn = (mostBytes: number) => ({
  CLONE_PROF_NPM_BYTES: String(mostBytes),
  CLONE_PROF_NPM_TOO_MUCH: tooMuch('its registry sends', mostBytes),
});

/**
 * Runs before npm, in its process. When this program ends, even by SIGKILL, the pipe to npm's stdin closes, and npm ends too
 * instead of going on with its download. It also ends where more came than it may bring: npm itself would keep it in memory, or
 * write it to the disk.
 */
export const BEFORE_NPM = `const { writeSync } = require('node:fs');
const { Socket } = require('node:net');
const { pathToFileURL } = require('node:url');
const end = () => process.kill(process.pid, 'SIGKILL');
process.stdin.on('end', end).resume().unref();
const sockets = [];
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  sockets.push(this);
  return connect.apply(this, args);
};
const { CLONE_PROF_NPM_BYTES: most, CLONE_PROF_NPM_TOO_MUCH: tooMuch } = process.env;
setInterval(() => {
  if (sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) <= Number(most)) return;
  writeSync(2, '\\nnpm error code ETOOLARGE\\n' + tooMuch);
  end();
}, 50).unref();
import(pathToFileURL(process.argv[1]).href);`;
