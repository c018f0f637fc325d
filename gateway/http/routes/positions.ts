/** Positions: reading, closing, adjusting. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import {
  adjustPosition,
  closePosition,
  getPosition,
  listPositions,
  listPositionsLite,
} from '../../contract/positions.ts';
import type { OpeningBrackets, ReversalBrackets } from '../../domain/bracket-fate.ts';
import { dec, sum, text } from '../../domain/decimal.ts';
import type { Position, Principal, TradeAccount } from '../../domain/model.ts';
import type { LiveState } from '../../engine/core/live-state.ts';
import { soon } from '../../engine/core/soon.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Accepted } from '../../engine/execution/accept.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Store } from '../../engine/ports/store.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { Venues } from '../../engine/ports/venue.ts';
import type { AdjustPosition } from '../../engine/positions/change-position.ts';
import type { RestingServices } from '../../engine/resting/resting-services.ts';
import type { PositionBrackets } from '../../engine/resting/triggers/bracket-service.ts';
import { commandOf } from '../idempotency-key.ts';
import type { AuthorityNames, NamePlaced } from '../present/authority.ts';
import { presentOpeningBrackets, presentReversalBrackets } from '../present/bracket.ts';
import { executionJson } from '../present/execution-json.ts';
import {
  type HeldAtVenue,
  type PositionContext,
  presentPosition,
  presentPositionLite,
} from '../present/position.ts';
import { scheduleJson } from '../present/schedule.ts';
import { triggerJson } from '../present/trigger.ts';
import { slicingOf, watchOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';

export type BracketsBefore = ReadonlyMap<string, PositionBrackets>;

export interface PositionPresenter {
  /**
   * Wire form of positions; the venue is asked once per list for leverage, liquidation prices and isolated margins.
   * @param markOf marks of one moment for all; otherwise the present marks
   */
  many(
    account: TradeAccount,
    positions: readonly Position[],
    brackets?: BracketsBefore,
    markOf?: (symbol: string) => string | undefined,
  ): Promise<ReturnType<typeof presentPosition>[]>;
  /**
   * Brackets, read before the positions are. A position that closes in between is shown as open, with its brackets.
   */
  bracketsOf(account: TradeAccount): BracketsBefore;
  /** JSON text of a 202 answer. */
  readonly acceptedJson: (asking: Principal) => (accepted: Accepted) => string;
  /** Throws a validation error for a connector that does not exist. */
  checkConnector(connector: string | undefined): void;
}

export function positionPresenter(deps: {
  readonly market: MarketData;
  readonly state: LiveState;
  readonly venues: Venues;
  readonly clock: Pick<Clock, 'after'>;
  readonly resting: Pick<RestingServices, 'brackets' | 'rebalances'>;
  readonly names: AuthorityNames;
}): PositionPresenter {
  const { market, state, venues, clock, resting, names } = deps;
  const context: PositionContext = {
    instrument: (connector, symbol) => market.instrument(connector, symbol),
    mark: (connector, symbol) => market.quote(connector, symbol)?.mark,
    leverage: (tradeAccountId, connector, symbol) => {
      const instrument = market.instrument(connector, symbol);
      return instrument === undefined
        ? { leverage: 1, marginMode: 'cross' }
        : state.leverage.inForce(tradeAccountId, instrument);
    },
    brackets: (positionId) => resting.brackets.of(positionId),
    autoRebalance: (positionId) => resting.rebalances.of(positionId),
  };
  return {
    bracketsOf: (account) =>
      new Map(state.positions.of(account.id).map(({ id }) => [id, resting.brackets.of(id)])),
    async many(account, positions, before, markOf) {
      const held = positions.some(({ status }) => status === 'OPEN')
        ? await heldAtVenue(account, venues, state, clock)
        : new Map<string, HeldAtVenue>();
      const brackets: PositionContext['brackets'] = (id) =>
        state.positions.get(id) === undefined
          ? (before?.get(id) ?? context.brackets(id))
          : context.brackets(id);
      const mark: PositionContext['mark'] =
        markOf === undefined ? context.mark : (_, symbol) => markOf(symbol);
      return positions.map((position) =>
        presentPosition(
          position,
          position.status === 'OPEN' ? { ...context, mark, brackets } : context,
          held,
        ),
      );
    },
    acceptedJson:
      (asking) =>
      ({ execution, position, brackets }) =>
        `{"execution":${executionJson(execution, names.to(asking))},${JSON.stringify({
          intent: execution.intent,
          ...(position === null ? {} : { position: presentPosition(position, context, new Map()) }),
          ...(brackets === null ? {} : { brackets: presentFate(brackets, names.to(asking)) }),
        }).slice(1)}`,
    checkConnector(connector) {
      if (connector !== undefined && venues.get(connector) === undefined) {
        throw invalid('connector', 'Unknown connector', 'unknown_connector');
      }
    },
  };
}

function presentFate(brackets: OpeningBrackets | ReversalBrackets, name: NamePlaced) {
  return brackets.kind === 'opening'
    ? presentOpeningBrackets(brackets, name)
    : presentReversalBrackets(brackets);
}

/** The venue's net positions by symbol; empty: the venue does not answer in time. */
async function heldAtVenue(
  account: TradeAccount,
  venues: Venues,
  state: LiveState,
  clock: Pick<Clock, 'after'>,
): Promise<ReadonlyMap<string, HeldAtVenue>> {
  const venue = venues.get(account.connector);
  const atVenue = { tradeAccountId: account.id, exchangeIdentifier: account.exchangeIdentifier };
  // Reads use the stream's state: a live venue's request limit is kept for orders.
  const kept = venue?.accountState?.(atVenue)?.positions;
  const told =
    kept === undefined && venue !== undefined
      ? await soon(clock, venue, `positions ${account.id}`, () => venue.positions(atVenue))
      : null;
  const held = kept ?? (told?.ok === true ? told.value : []);
  const legs = state.positions.of(account.id).flatMap((position) => position.legs);
  return new Map(
    held.map(({ symbol, liquidationPrice, leverage, marginMode, marginUsed }) => {
      const own = legs.filter((leg) => leg.symbol === symbol).map((leg) => dec(leg.quantity));
      const isolatedMargin = marginMode === 'isolated' ? marginUsed : null;
      return [symbol, { leverage, marginMode, liquidationPrice, isolatedMargin, inBaskets: text(sum(own)) }];
    }),
  );
}

export interface PositionRouteDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly state: LiveState;
  readonly positions: PositionPresenter;
  readonly resting: Pick<RestingServices, 'triggers' | 'schedules'>;
  readonly names: AuthorityNames;
}

export function positionRoutes(deps: PositionRouteDeps): readonly BoundRoute[] {
  const { engine, store, state, positions, resting, names } = deps;
  return [
    bind(listPositions, async ({ account, query }) => {
      positions.checkConnector(query.connector);
      const brackets = positions.bracketsOf(account);
      const descending = query.orderBy.startsWith('-');
      const page = await store.positions(
        {
          ...accountFilter(account, query),
          orderBy: query.orderBy.endsWith('createdAt') ? 'createdAt' : 'updatedAt',
          descending,
        },
        pageAsked(query),
      );
      return {
        body: { positions: await positions.many(account, page.rows, brackets), ...nextCursorOf(page) },
      };
    }),

    bind(listPositionsLite, ({ account }) => ({
      body: { positions: state.positions.of(account.id).map(presentPositionLite) },
    })),

    bind(getPosition, async ({ account, params }) => {
      const brackets = positions.bracketsOf(account);
      const position = found(await store.position(account.id, params.id), 'Position');
      const [presented = null] = await positions.many(account, [position], brackets);
      return { body: found(presented, 'Position') };
    }),

    bind(closePosition, async (call) => {
      const { principal, params, body } = call;
      const close = {
        positionId: params.id,
        fraction: isWholeFraction(body.fraction) ? '1' : body.fraction,
        slippage: body.slippage ?? null,
        onLegFailure: body.onLegFailure,
        clientId: body.clientId ?? null,
      };
      if (body.type === 'MARKET') {
        const command = commandOf(closePosition, call, positions.acceptedJson(principal));
        return answeredReply(unwrap(await engine.closePosition(principal, command, close)), 202);
      }
      const name = names.to(principal);
      const answered =
        body.type === 'TWAP'
          ? await resting.schedules.close(principal, commandOf(closePosition, call, scheduleJson(name)), {
              ...close,
              ...slicingOf(body),
            })
          : await resting.triggers.close(principal, commandOf(closePosition, call, triggerJson(name)), {
              ...close,
              ...watchOf(body),
            });
      return answeredReply(unwrap(answered), 200);
    }),

    bind(adjustPosition, async (call) => {
      const { principal, params, body } = call;
      const command = commandOf(adjustPosition, call, positions.acceptedJson(principal));
      const adjust = adjustmentOf(params.id, body);
      return answeredReply(unwrap(await engine.adjustPosition(principal, command, adjust)), 202);
    }),
  ];
}

export function isWholeFraction(fraction: string): boolean {
  return /^0*1(\.0+)?$/.test(fraction);
}

/** @param body `onLegFailure` is missing where nothing is sent */
export function adjustmentOf(
  positionId: string,
  body: Parameters<typeof changeOf>[0] & {
    readonly intent: AdjustPosition['intent'];
    readonly slippage?: string | undefined;
    readonly onLegFailure?: AdjustPosition['onLegFailure'];
    readonly clientId?: string | undefined;
  },
): AdjustPosition {
  const { intent, slippage = null, onLegFailure = 'KEEP', clientId = null } = body;
  return { positionId, intent, slippage, onLegFailure, clientId, ...changeOf(body) };
}

type Change =
  | { readonly by: 'usd'; readonly usd: string }
  | { readonly by: 'fraction'; readonly fraction: string }
  | {
      readonly by: 'targets';
      readonly targets: readonly { readonly symbol: string; readonly quantity: string }[];
    };

/** Requested size change; the contract lets exactly one of its three fields through. */
function changeOf(body: {
  readonly usd?: string | undefined;
  readonly fraction?: string | undefined;
  readonly targets?: readonly { readonly symbol: string; readonly quantity: string }[] | undefined;
}): Change {
  if (body.usd !== undefined) return { by: 'usd', usd: body.usd };
  if (body.fraction !== undefined) return { by: 'fraction', fraction: body.fraction };
  return { by: 'targets', targets: body.targets ?? [] };
}
