/** The service worker of an extension: what is at the other end of the ports that the page of the guest opens. */
import { acceptPorts } from '../../platform/page/channels/extension.ts';
import { answerGuest } from './peer.ts';

acceptPorts(answerGuest);
