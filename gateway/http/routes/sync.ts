/** Venue-activity sync, provisional fills, and trading a paper account past the gateway. */
import {
  listProvisionalFills,
  paperOrderRoute,
  syncAccountRoute,
  syncPositionRoute,
} from '../../contract/sync.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Store } from '../../engine/ports.ts';
import { type AccountDirectory, type BoundRoute, BusinessError, bind } from '../handler.ts';
import { iso } from '../present/time.ts';
import { unwrap } from '../unwrap.ts';
import type { PositionPresenter } from './positions.ts';
import { notFound } from './refusals.ts';

export function syncRoutes(deps: {
  readonly engine: Pick<Engine, 'syncAccount' | 'positionOfActivity' | 'placePaperOrder'>;
  readonly store: Pick<Store, 'provisionalFills'>;
  readonly positions: PositionPresenter;
  readonly accounts: AccountDirectory;
}): readonly BoundRoute[] {
  const { engine, store, positions, accounts } = deps;
  return [
    bind(syncAccountRoute, async ({ account }) => {
      const synced = unwrap(await engine.syncAccount(account));
      const { differences } = synced;
      return { body: { ...synced, differences: differences === null ? null : [...differences] } };
    }),

    bind(syncPositionRoute, async ({ account, body }) => {
      const made = unwrap(await engine.positionOfActivity(account, body));
      const [presented] = await positions.many(account, [made]);
      if (presented === undefined) throw new BusinessError('RESOURCE_NOT_FOUND', 'Position not found');
      return { body: presented };
    }),

    bind(listProvisionalFills, async ({ account }) => ({
      body: {
        fills: (await store.provisionalFills(account.id)).map((fill) => ({
          id: fill.id,
          symbol: fill.symbol,
          side: fill.side,
          price: fill.price,
          quantity: fill.quantity,
          cloid: fill.cloid,
          timestamp: iso(fill.timestamp),
        })),
      },
    })),

    bind(paperOrderRoute, async ({ principal, params, body }) => {
      const account = accounts.find(principal, params.id.toLowerCase());
      if (account === undefined) throw notFound('Trade account');
      const outcome = unwrap(
        await engine.placePaperOrder(account, {
          symbol: body.symbol,
          side: body.side,
          amount:
            body.quantity === undefined
              ? { by: 'usd', usd: body.usd ?? '0' }
              : { by: 'quantity', quantity: body.quantity },
          reduceOnly: body.reduceOnly,
          cloid: body.cloid ?? null,
        }),
      );
      return {
        body: {
          cloid: outcome.clientOrderId,
          venueOrderId: outcome.venueOrderId,
          status: outcome.state,
          filledQuantity: outcome.filledQuantity,
          fills: outcome.fills.map(({ tradeId, price, quantity, fee, timestamp }) => ({
            tradeId,
            price,
            quantity,
            fee,
            timestamp: iso(timestamp),
          })),
        },
      };
    }),
  ];
}
