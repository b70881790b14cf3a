/** The file functions as they were before user code loaded: `syncBuiltinESMExports` changes what is imported. */
import * as fs from 'node:fs';

export const {
  closeSync,
  createReadStream,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
  writeSync,
} = fs;
