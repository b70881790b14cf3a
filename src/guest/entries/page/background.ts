/** The service worker of an extension: what is at the other end of the ports that the page of the guest opens. */
import type { Endpoint, PeerEntry } from '../../platform/common/platform.ts';
import { acceptPorts } from '../../platform/page/channels/extension.ts';
import { acknowledgeMessages, answerVariants } from './peer.ts';

const BEGIN: Readonly<Partial<Record<PeerEntry, (parent: Endpoint) => void>>> = {
  peer: answerVariants,
  'acknowledging-receiver': acknowledgeMessages,
};

acceptPorts((entry, parent) => BEGIN[entry]?.(parent));
