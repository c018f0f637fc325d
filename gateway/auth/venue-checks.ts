/** Checks of live venues that a person asks for, and what the last one of each said. */
import { z } from 'zod';
import type { TradeAccount } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { VenueExchange, Venues } from '../engine/ports/venue.ts';
import { type CredentialVault, networkOf } from './account-credentials.ts';
import { createKeyedLock } from './keyed-lock.ts';

const report = z.strictObject({
  connector: z.string(),
  network: z.enum(['mainnet', 'testnet']),
  override: z.string().nullable(),
  tradeAccountId: z.string().nullable(),
  at: z.number(),
  version: z.string(),
  ok: z.boolean(),
  steps: z.array(
    z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string(), remedy: z.string().nullable() }),
  ),
});
export type VenueCheckReport = Readonly<z.infer<typeof report>>;

export interface VenueChecks {
  /** One at a time for each connector. @param account null: only what needs none */
  run(
    connector: string,
    account: TradeAccount | null,
  ): Promise<
    Result<
      { readonly report: VenueCheckReport; readonly transcript: readonly VenueExchange[] },
      { readonly kind: 'unknown_connector' | 'unsupported' | 'no_credentials' }
    >
  >;
  /** The last one of the connector; null: none yet. */
  last(connector: string): Promise<VenueCheckReport | null>;
}

export function createVenueChecks(deps: {
  readonly store: Pick<Store, 'setting' | 'commit'>;
  readonly clock: Clock;
  readonly venues: Pick<Venues, 'get'>;
  readonly vault: CredentialVault;
  readonly version: string;
}): VenueChecks {
  const { store, clock, venues, vault, version } = deps;
  const lock = createKeyedLock();
  const keyOf = (connector: string) => `venue-check:${connector}`;

  return {
    run: (connector, account) =>
      lock.run(connector, async () => {
        const venue = venues.get(connector);
        if (venue === undefined) return fail({ kind: 'unknown_connector' });
        if (venue.check === undefined) return fail({ kind: 'unsupported' });
        const credentials = account === null ? null : await vault.read(account.id);
        if (account !== null && credentials === null) return fail({ kind: 'no_credentials' });
        const network = networkOf(venue);
        const target =
          account === null || credentials === null
            ? null
            : {
                account: { tradeAccountId: account.id, exchangeIdentifier: account.exchangeIdentifier },
                access: { credentials, network },
              };
        const steps: VenueCheckReport['steps'] = [];
        const transcript: VenueExchange[] = [];
        await venue.check(
          target,
          (step) => steps.push(step),
          (exchange) => transcript.push(exchange),
        );
        const told: VenueCheckReport = {
          connector,
          network,
          override: venue.info.override ?? null,
          tradeAccountId: account?.id ?? null,
          at: clock.now(),
          version,
          ok: steps.every((step) => step.ok),
          steps,
        };
        // What was found is told, also where it could not be kept.
        await store.commit({ settings: [{ key: keyOf(connector), value: JSON.stringify(told) }] });
        return ok({ report: told, transcript });
      }),
    async last(connector) {
      const text = await store.setting(keyOf(connector));
      const kept = text === null ? null : report.safeParse(JSON.parse(text));
      return kept?.success === true ? kept.data : null;
    },
  };
}
