/** Code in files of cases: an expression, after definitions, which may use what is listed here. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { ToolError } from '../../src/model/errors.ts';
import { triedIn } from '../../src/model/rules/remedy.ts';
import { recordingText } from '../../src/record/files/recording-files.ts';
import { ALL_HOSTILE, HOSTILE as HOSTILE_KINDS, IN_FILE_NAMES } from '../hostile/strings.ts';
import { recording, row, shapeOf } from '../make.ts';
import { makeRepository, putFiles, runGit } from '../support/git-repository.ts';
import { threadFiles } from '../support/thread-files.ts';

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8');

/** Makes the folder a repository, with all that is in it on main. */
const repository = (folder: string) => makeRepository(folder, {});

const KNOWN = {
  ...{ ALL_HOSTILE, HOSTILE_KINDS, IN_FILE_NAMES, chmodSync, putFiles, readdirSync },
  ...{ assert, execFileSync, ToolError, fixture, linkSync, makeRepository, recording },
  ...{ readFileSync, recordingText, repository, row, runGit, shapeOf, statSync, symlinkSync, threadFiles },
  ...{ triedIn, truncateSync, writeFileSync },
};

export const evaluate = (definitions: string, expression: string): unknown =>
  new Function(...Object.keys(KNOWN), `${definitions}\nreturn (${expression}\n);`)(...Object.values(KNOWN));
