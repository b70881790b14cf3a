/** The service worker of an extension, at the other end of the ports that the guest's page opens. */
import { acceptPorts } from '../../../channels/extension/guest/page.ts';
import { answerGuest } from './peer.ts';

acceptPorts(answerGuest);
