/** A worker of the page to play with that posts in place of its main thread. Those of served pages have the page's own bundle. */
import { answerParent } from '../answer-parent.ts';
// Evaluated here, before user code: it takes the clock.
import '../platform/common/clock.ts';
import { currentPlatform } from '../platform/current.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

surviveUserCode(currentPlatform());
answerParent();
