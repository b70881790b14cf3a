/** What npm may bring: a registry, or what is between, may send without an end. */

export const tooMuch = (what: string, mostBytes: number): string =>
  `${what} more than ${mostBytes / 2 ** 20} MiB. See which registry it is: npm config get registry`;

/** Names the bytes to npm's process. */
export const MOST_BYTES_VARIABLE = 'CLONE_PROF_NPM_BYTES';

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
const most = Number(process.env.${MOST_BYTES_VARIABLE});
setInterval(() => {
  if (sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) <= most) return;
  writeSync(2, '\\nnpm error code ETOOLARGE\\n' + ${JSON.stringify(tooMuch('its registry sends', 0))}.replace(' 0 ', ' ' + most / 2 ** 20 + ' '));
  end();
}, 50).unref();
import(pathToFileURL(process.argv[1]).href);`;
