/** Venue-activity sync, provisional fills, and orders made on a paper account outside Tandem. */

import { hash } from 'node:crypto';
import type { Accounts } from '../../auth/accounts.ts';
import type { AccountDirectory } from '../../call/authenticator.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import {
  accountDifference,
  fillReview,
  listDifferences,
  listProvisionalFills,
  listReviews,
  listUnassigned,
  paperOrderRoute,
  planSyncPosition,
  provisionalFill,
  resolveReviews,
  syncAccountRoute,
  syncPositionRoute,
} from '../../contract/sync.ts';
import { placedBy } from '../../domain/authority.ts';
import type { FillReview } from '../../domain/fill-review.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { type FillReviews, VENUE_HISTORY_LOST } from '../../engine/account/fill-reviews.ts';
import type { IdempotentRequest } from '../../engine/core/idempotency.ts';
import type { Engine } from '../../engine/engine.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import { idempotentRequest } from '../idempotency-key.ts';
import { iso } from '../present/time.ts';
import { presentUnassigned } from '../present/unassigned.ts';
import { wireForm } from '../present/wire-form.ts';
import { unwrap } from '../unwrap.ts';
import type { PositionPresenter } from './positions.ts';
import { found, notFound } from './refusals.ts';

export function syncRoutes(deps: {
  readonly engine: Pick<
    Engine,
    | 'syncAccount'
    | 'positionOfActivity'
    | 'planOfActivity'
    | 'placePaperOrder'
    | 'waitingFills'
    | 'unassigned'
    | 'disagreements'
  >;
  readonly market: Pick<MarketData, 'quote' | 'instrument'>;
  readonly positions: PositionPresenter;
  readonly accounts: AccountDirectory & Pick<Accounts, 'list'>;
  readonly reviews: Pick<FillReviews, 'of' | 'resolve'>;
}): readonly BoundRoute[] {
  const { engine, market, positions, accounts, reviews } = deps;
  const tickerOf = (connector: string, symbol: string) =>
    market.instrument(connector, symbol)?.symbol ?? symbol;
  return [
    bind(syncAccountRoute, async ({ account }) => {
      const synced = unwrap(await engine.syncAccount(account));
      const { differences } = synced;
      return { body: { ...synced, differences: differences === null ? null : [...differences] } };
    }),

    bind(listDifferences, ({ principal }) => ({
      body: {
        accounts: accounts.list(principal).map((account) => {
          const { comparedAt, rows } = engine.disagreements(account);
          return {
            tradeAccountId: account.id,
            checkedAt: comparedAt === null ? null : iso(comparedAt),
            differences: rows.map((row) =>
              wireForm(accountDifference, row, { ticker: tickerOf(account.connector, row.symbol) }),
            ),
          };
        }),
      },
    })),

    bind(syncPositionRoute, async ({ principal, account, body }) => {
      const made = await engine.positionOfActivity(account, body, placedBy(principal));
      const [presented = null] = await positions.many(account, [unwrap(made)]);
      return { body: found(presented, 'Position') };
    }),

    bind(planSyncPosition, async ({ principal, account, body }) => {
      const { legs, ...plan } = unwrap(await engine.planOfActivity(account, body.legs, placedBy(principal)));
      const named = legs.map((leg) => ({ ...leg, ticker: tickerOf(account.connector, leg.symbol) }));
      return { body: { ...plan, legs: named } };
    }),

    bind(listProvisionalFills, async ({ account }) => ({
      body: {
        fills: (await engine.waitingFills(account)).map((fill) => wireForm(provisionalFill, fill, {})),
      },
    })),

    bind(listUnassigned, ({ account }) => ({
      body: {
        items: engine.unassigned(account).map((lot) => {
          const { connector, symbol } = lot;
          const mark = market.quote(connector, symbol)?.mark;
          return presentUnassigned(lot, market.instrument(connector, symbol), mark);
        }),
      },
    })),

    bind(listReviews, ({ account }) => ({ body: { reviews: reviews.of(account.id).map(presentReview) } })),

    bind(resolveReviews, async ({ account, body }) => {
      const ids = body.ids?.map((id) => id.toLowerCase()) ?? null;
      return { body: { resolved: unwrap(await reviews.resolve(account, ids)).length } };
    }),

    bind(paperOrderRoute, async (call) => {
      const { principal, params, body } = call;
      const account = accounts.find(principal, params.id.toLowerCase());
      if (account === undefined) throw notFound('Trade account');
      const outcome = unwrap(
        await engine.placePaperOrder(
          account,
          {
            symbol: body.symbol,
            side: body.side,
            amount:
              body.quantity === undefined
                ? { by: 'usd', usd: body.usd ?? '0' }
                : { by: 'quantity', quantity: body.quantity },
            reduceOnly: body.reduceOnly,
            cloid:
              body.cloid ?? cloidOf(idempotentRequest(paperOrderRoute, { ...call, account: null }), account),
          },
          principal,
        ),
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

function presentReview(review: FillReview) {
  const known = wireForm(fillReview.shape.known, review.known, {});
  return wireForm(fillReview, review, { code: VENUE_HISTORY_LOST, known });
}

/** Client order id derived from the idempotency key: the venue never executes the same id twice. */
function cloidOf(request: IdempotentRequest | null, account: TradeAccount): string | null {
  if (request === null) return null;
  const { userId, key } = request;
  return `outside-${hash('sha256', JSON.stringify([userId, account.id, key]), 'hex').slice(0, 40)}`;
}
