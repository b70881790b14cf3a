import type { Report } from '../../../src/model/report.ts';
import * as advised from './advised.ts';
import { insight } from './insight.ts';
import * as troubled from './troubled.ts';

/** Every frozen Report by the name of its file in fixtures/reports. */
export const FROZEN: Record<string, Report> = {
  apply: advised.apply,
  'three-runtimes': advised.threeRuntimes,
  nothing: advised.nothing,
  'not-the-clone': advised.notTheClone,
  unsure: advised.unsure,
  'in-place-only': advised.inPlaceOnly,
  'twelve-runtimes': advised.twelveRuntimes,
  rejected: troubled.rejected,
  sendable: troubled.sendable,
  'classified-only': troubled.classifiedOnly,
  timeout: troubled.timeout,
  'load-error': troubled.loadError,
  denied: troubled.denied,
  upgrade: troubled.upgrade,
  insight,
  hostile: troubled.hostile,
  empty: troubled.empty,
};
