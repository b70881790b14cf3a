import type { Channel } from '../../model/names.ts';
import { type Endpoint, nextMessage } from '../platform/common/endpoint.ts';
import { messageOf } from '../user-code/thrown.ts';
import { openChannel, spawnPeer } from './channel.ts';
import { PeerLife } from './peer-life.ts';

/** A message within a machine arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;

/** A channel to a peer that acknowledges what arrives. */
class TestChannel {
  readonly #endpoint: Endpoint;
  readonly #life: PeerLife;
  readonly #token: string;

  private constructor(endpoint: Endpoint, life: PeerLife, token: string) {
    this.#endpoint = endpoint;
    this.#life = life;
    this.#token = token;
  }

  /** @throws ToolError 'channel-unsupported' */
  static async open(channel: Channel): Promise<TestChannel> {
    const peer = await spawnPeer(channel, 'acknowledging-receiver');
    const life = new PeerLife(peer);
    const { endpoint, far, transfer } = openChannel(channel, peer);
    await life.whileAlive(nextMessage(peer.endpoint, () => peer.endpoint.postWith(far, transfer)));
    return new TestChannel(endpoint, life, far.token);
  }

  /** Why the value does not arrive; null when it does. */
  async refusalOf(value: unknown): Promise<string | null> {
    try {
      this.#endpoint.post(value);
    } catch (error) {
      return messageOf(error);
    }
    // Messages arrive in order: what has not come before this one never will.
    const arrived = new Promise<boolean>((resolve, reject) => {
      let any = false;
      const late = setTimeout(() => reject(new Error('no message arrives any more')), TIMEOUT_MS);
      this.#endpoint.onMessage = (answer) => {
        if (answer !== this.#token) any = true;
        else {
          clearTimeout(late);
          resolve(any);
        }
      };
    });
    this.#endpoint.post(this.#token);
    return (await this.#life.whileAlive(arrived)) ? null : 'the message never arrives';
  }
}

function refusalOfClone(value: unknown): string | null {
  try {
    structuredClone(value);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** One for each channel, as long as the guest lives. */
const channels = new Map<Channel, Promise<TestChannel>>();

/**
 * Posts a value over a channel of its own kind: what one channel takes another may refuse.
 *
 * @returns why the engine refuses it, or that it never arrives; null when it arrives; undefined where that cannot be seen
 */
export async function refusalOver(channel: Channel, value: unknown): Promise<string | null | undefined> {
  if (channel === 'structured-clone') return refusalOfClone(value);
  const opened = channels.get(channel) ?? TestChannel.open(channel);
  channels.set(channel, opened);
  try {
    return await (await opened).refusalOf(value);
  } catch {
    channels.delete(channel);
    return undefined;
  }
}
