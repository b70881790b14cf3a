import { ToolError } from '../../../model/errors.ts';
import { pageParts, startPart } from '../common/parts.ts';
import { type Platform, toWorkers } from '../common/platform.ts';
import { webParentEndpoint, webWorkers } from '../common/web.ts';
import { sources } from './embedded-sources.ts';
import { pagePlatform } from './page-platform.ts';
import { watchReadBack } from './read-back.ts';

const UNSEEN = 'a page does not see the memory of its process';

/** A worker of the playground, which has no server, and the workers that it starts. It has no frames, and perhaps no origin. */
export const embeddedPage: Platform = {
  ...pagePlatform,
  peers: toWorkers(webWorkers((entry) => startPart(pageParts(), entry))),
  parentEndpoint: webParentEndpoint,
  mayBlock: true,
  sources,
  refused: { profile: 'there is no profiler for pages', memory: UNSEEN },
  markPeakMemory: () => {
    throw new ToolError('measure-failed', { detail: UNSEEN });
  },
  watchReadBack,
};
