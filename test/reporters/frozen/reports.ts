import type { Report } from '../../../src/model/documents/report.ts';
import * as advised from './advised.ts';
import { codec } from './codec.ts';
import { noise } from './noise.ts';
import { profileAndBranches } from './profile-and-branches.ts';
import { recording } from './recorded.ts';
import { several } from './several.ts';
import { starved } from './starved.ts';
import * as troubled from './troubled.ts';

/** Every frozen Report by the name of its file in fixtures/reports. */
export const FROZEN: Record<string, Report> = {
  apply: advised.apply,
  'three-runtimes': advised.threeRuntimes,
  nothing: advised.nothing,
  'not-the-clone': advised.notTheClone,
  unsure: advised.unsure,
  starved,
  several,
  available: advised.available,
  'in-place-only': advised.inPlaceOnly,
  'not-tried': advised.notTried,
  transferred: advised.transferred,
  codec,
  'twelve-runtimes': advised.twelveRuntimes,
  rejected: troubled.rejected,
  sendable: troubled.sendable,
  'classified-only': troubled.classifiedOnly,
  timeout: troubled.timeout,
  'load-error': troubled.loadError,
  contradicted: troubled.contradicted,
  upgrade: troubled.upgrade,
  noise,
  'profile-and-branches': profileAndBranches,
  recording,
  hostile: troubled.hostile,
  empty: troubled.empty,
};
