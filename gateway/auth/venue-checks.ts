/** Checks of live venues on a person's request, and the last result of each. */
import { z } from 'zod';
import type { TradeAccount } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { VenueCheckStep, VenueExchange, Venues } from '../engine/ports/venue.ts';
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
export type VenueCheckReport = Readonly<z.infer<typeof report>> & {
  /** Last check at the venue that placed orders and found no fault; null: there was none. */
  readonly proven: VenueProof | null;
};

const proof = z.strictObject({
  at: z.number(),
  version: z.string(),
  network: z.enum(['mainnet', 'testnet']),
  override: z.string().nullable(),
});
export type VenueProof = Readonly<z.infer<typeof proof>>;

/** Steps that place orders. They report their findings, and fail if orders cannot be checked now. */
export type OrderSteps = (
  tell: (step: VenueCheckStep) => void,
) => Promise<Result<null, { readonly message: string }>>;

const PROOF_PREFIX = 'venue-proof:';

export interface VenueChecks {
  /**
   * Runs one check at a time for each connector.
   * @param account null: only steps that need none
   * @param orders null: nothing is ordered
   */
  run(
    connector: string,
    account: TradeAccount | null,
    orders: OrderSteps | null,
  ): Promise<
    Result<
      { readonly report: VenueCheckReport; readonly transcript: readonly VenueExchange[] },
      { readonly kind: 'unknown_connector' | 'unsupported' | 'no_credentials' }
    >
  >;
  /** null: there is no such connector. */
  networkOf(connector: string): 'mainnet' | 'testnet' | null;
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
  const parsed = async <S extends z.ZodType>(key: string, schema: S): Promise<z.output<S> | null> => {
    const text = await store.setting(key);
    const kept = text === null ? null : schema.safeParse(JSON.parse(text));
    return kept?.success === true ? kept.data : null;
  };
  const provenOf = (connector: string) => parsed(`${PROOF_PREFIX}${connector}`, proof);

  return {
    run: (connector, account, orders) =>
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
          async () => {
            if (orders !== null) await order(orders, steps);
          },
        );
        const at = clock.now();
        const override = venue.info.override ?? null;
        const isOk = steps.every((step) => step.ok);
        const told: z.infer<typeof report> = {
          connector,
          network,
          override,
          tradeAccountId: account?.id ?? null,
          at,
          version,
          ok: isOk,
          steps,
        };
        const settings = [{ key: keyOf(connector), value: JSON.stringify(told) }];
        const fresh: VenueProof | null = isOk && orders !== null ? { at, version, network, override } : null;
        if (fresh !== null)
          settings.push({ key: `${PROOF_PREFIX}${connector}`, value: JSON.stringify(fresh) });
        // The report is returned even if it could not be stored.
        await store.commit({ settings });
        return ok({ report: { ...told, proven: fresh ?? (await provenOf(connector)) }, transcript });
      }),
    networkOf(connector) {
      const venue = venues.get(connector);
      return venue === undefined ? null : networkOf(venue);
    },
    async last(connector) {
      const kept = await parsed(keyOf(connector), report);
      return kept === null ? null : { ...kept, proven: await provenOf(connector) };
    },
  };
}

/** Orders, unless something went wrong before: with a wrong clock or key an order proves nothing. */
async function order(orders: OrderSteps, steps: VenueCheckStep[]): Promise<void> {
  const failing = steps.find(({ ok }) => !ok);
  const tell = (step: VenueCheckStep) => void steps.push(step);
  if (failing !== undefined) {
    const detail = `Nothing was ordered, because ${failing.name} fails`;
    return tell({ name: 'orders', ok: false, detail, remedy: 'Mend that first' });
  }
  const done = await orders(tell);
  if (!done.ok) {
    const remedy = 'Check again once that is over; nothing was ordered';
    tell({ name: 'orders', ok: false, detail: done.error.message, remedy });
  }
}
