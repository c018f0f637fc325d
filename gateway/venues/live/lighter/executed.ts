/** Result of a transaction that the venue has taken in. */
import type { Clock } from '../../../engine/ports/system.ts';
import type { Client } from './client.ts';
import type { Session } from './session.ts';
import { endOf, type TxEnd } from './tx-end.ts';
import * as wire from './wire.ts';

/** Time that the stream has to report it before the venue is asked. */
const TOLD_WITHIN_MS = 1_500;

/**
 * Waits for the result from the stream, or asks for it by the hash; null: neither has it.
 * @param until epoch ms at which it has expired: it is asked for once more then
 */
export async function whenExecuted(
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  session: Session,
  hash: string,
  until: number,
): Promise<TxEnd | null> {
  let wake = () => {};
  let told: TxEnd | null = null;
  const leave = session.whenTx(hash, (end) => {
    told = end;
    wake();
  });
  const ask = async (): Promise<TxEnd | null> => {
    const query = { by: 'hash', value: hash };
    const found = await client.get({ lane: 'lookup', path: '/api/v1/tx', query }, wire.enrichedTx);
    return found.ok ? endOf(found.value) : null;
  };
  try {
    for (;;) {
      await Promise.race([
        clock.sleep(TOLD_WITHIN_MS),
        new Promise<void>((resolve) => {
          wake = resolve;
          if (told !== null) resolve();
        }),
      ]);
      const end: TxEnd | null = told ?? (await ask());
      if (end !== null) return end;
      if (session.isClosed || clock.now() >= until) return null;
    }
  } finally {
    leave();
  }
}
