/**
 * @nktkas/hyperliquid, a client by other authors: it proves that the emulator speaks the venue's protocol rather than
 * ours. Its types are said here once more, because nothing here installs it.
 */
import { pathToFileURL } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import WebSocket from 'ws';
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import type { Hex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { needsWitness, witnessPath } from '../shared/witness.ts';
import type { Answer } from './trader.ts';

const PACKAGE = '@nktkas/hyperliquid/esm';

/** A method of the witness, by name. */
type Call = (method: string, given?: object) => Promise<Answer>;
type Subscribe = (
  stream: string,
  given: object,
  listener: (data: Answer) => void,
) => Promise<{ unsubscribe(): Promise<void> }>;

export interface WitnessTransport {
  ready?(): Promise<void>;
  close?(): Promise<void>;
}

export interface Witness {
  readonly overHttp: WitnessTransport;
  readonly overSocket: WitnessTransport & { ready(): Promise<void>; close(): Promise<void> };
  info(transport: WitnessTransport): Call;
  /** @param expiresAfter of every action, epoch ms */
  exchange(transport: WitnessTransport, expiresAfter?: number): Call;
  readonly subscribe: Subscribe;
}

/** Skips the suite where the witness is not installed. Call it in `describe`. */
export const needsClient = (): void => needsWitness(PACKAGE, '@nktkas/hyperliquid');

export async function witnessOf(
  { url, wsUrl }: { readonly url: string; readonly wsUrl: string },
  privateKey: Hex,
  clock: Clock,
): Promise<Witness> {
  let lastNonce = 0;
  const nonceManager = () => {
    lastNonce = Math.max(lastNonce + 1, clock.now());
    return lastNonce;
  };
  const library: Answer = await import(pathToFileURL(witnessPath(`${PACKAGE}/mod.js`)).href);
  const overHttp = new library.HttpTransport({ apiUrl: url });
  // Node 20 has no WebSocket of its own.
  const overSocket = new library.WebSocketTransport({ url: wsUrl, reconnect: { WebSocket } });
  const wallet = privateKeyToAccount(privateKey);
  const calls =
    (client: Answer): Call =>
    (method, given) =>
      client[method](given);
  const streams = new library.SubscriptionClient({ transport: overSocket });
  return {
    ...{ overHttp, overSocket },
    info: (transport) => calls(new library.InfoClient({ transport })),
    exchange: (transport, expiresAfter) =>
      calls(
        new library.ExchangeClient({
          ...{ transport, wallet, signatureChainId: '0xa4b1', nonceManager },
          ...(expiresAfter === undefined ? {} : { defaultExpiresAfter: expiresAfter }),
        }),
      ),
    subscribe: (stream, given, listener) => streams[stream](given, listener),
  };
}

/** The witness's own signer of L1 actions. */
export async function witnessSigner(): Promise<(given: object) => Promise<Answer>> {
  const library: Answer = await import(pathToFileURL(witnessPath(`${PACKAGE}/signing/mod.js`)).href);
  return library.signL1Action;
}
