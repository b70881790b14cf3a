/** The file functions from before user code was loaded: `syncBuiltinESMExports` changes imported functions. */
import * as fs from 'node:fs';

export const {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} = fs;
