/** The service worker of an extension: what is at the other end of the ports that the page of the guest opens. */
import { acknowledgeMessages } from '../channel/acknowledge.ts';
import { answerVariants } from '../measure/peer/echo.ts';
import type { Endpoint, PeerEntry } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
import { acceptPorts } from '../platform/page/extension.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const BEGIN: Readonly<Partial<Record<PeerEntry, (parent: Endpoint) => void>>> = {
  peer: answerVariants,
  'acknowledging-receiver': acknowledgeMessages,
};

surviveUserCode(currentPlatform());
acceptPorts((entry, parent) => BEGIN[entry]?.(parent));
