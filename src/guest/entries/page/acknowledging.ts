/** A small peer that only posts back values that may be refused: it starts far faster than a peer that can measure. */
import { acknowledgeGuest } from '../../channel/observed.ts';
import { givePlatform } from '../../platform/current.ts';
import { servedPage } from '../../platform/page/platform.ts';

givePlatform(servedPage);
acknowledgeGuest(servedPage.parentEndpoint());
