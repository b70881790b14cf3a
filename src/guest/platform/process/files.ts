/** The file functions as they were before user code loaded: `syncBuiltinESMExports` changes what is imported. */
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
