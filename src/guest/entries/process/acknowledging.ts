/** A peer that does no more than post back values that may be refused: it starts in far less time than one that can measure. */
import { acknowledgeGuest } from '../../channel/observed.ts';
import { givePlatform } from '../../platform/current.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

const platform = runningPlatform();
givePlatform(platform);
acknowledgeGuest(platform.parentEndpoint());
