/**
 * @nktkas/hyperliquid, a client by other authors: it proves that the emulator speaks the venue's protocol rather than
 * ours. Its packages lie in test/witness and nothing here installs them, so its types are said here once more.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import WebSocket from 'ws';
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import type { Hex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { Answer } from './trader.ts';

const FOLDER = resolve(import.meta.dirname, '../../../witness');
const PACKAGE = resolve(FOLDER, 'node_modules/@nktkas/hyperliquid/esm');

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

/** Explains how to install the witness; null: it is installed. */
export function missingWitness(): string | null {
  return existsSync(PACKAGE) ? null : `@nktkas/hyperliquid is not installed (npm ci --prefix test/witness)`;
}

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
  const library: Answer = await import(pathToFileURL(resolve(PACKAGE, 'mod.js')).href);
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
  const library: Answer = await import(pathToFileURL(resolve(PACKAGE, 'signing/mod.js')).href);
  return library.signL1Action;
}
