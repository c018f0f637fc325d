/**
 * Terms of an order that its request does not contain: leverage, margin mode, the account's mode, and the affected
 * position with its protection. They are part of the plan, so that an approval of 2× does not approve 40×.
 */
import { jsonOf, type ShownLeg, type ShownTerms } from '../../domain/approval.ts';
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import { canonicalJson, type JsonValue } from '../../domain/canonical-json.ts';
import type { Position, TradeAccount } from '../../domain/model.ts';
import { otherSide } from '../../domain/position.ts';
import { heldLegs } from '../../domain/shown-held.ts';
import { knownLeverage, venueAccount } from '../execution/ask-venue.ts';
import type { ApprovalDeps } from './new-approval.ts';

type Account = Pick<TradeAccount, 'id' | 'connector' | 'exchangeIdentifier'>;
type TradedLeg = Pick<ShownLeg, 'symbol' | 'side' | 'reduces'>;
type Deps = Pick<ApprovalDeps, 'market' | 'state' | 'venues'>;

/** @param params of the request: a position named here is the one that it changes */
export function shownTerms(
  deps: Deps,
  account: Account,
  { legs, changes }: { readonly legs: readonly TradedLeg[]; readonly changes: JsonValue },
  params: JsonValue,
): ShownTerms {
  const named = namedPosition(deps, account, params);
  const position = named ?? sameBasket(deps, account, legs);
  const symbols = new Set([...legs, ...(named?.legs ?? [])].map(({ symbol }) => symbol));
  const status = deps.venues.get(account.connector)?.accountStatus?.(venueAccount(account));
  return {
    accountMode: status?.mode?.name ?? null,
    leverage: [...symbols].sort().flatMap((symbol) => {
      const instrument = deps.market.instrument(account.connector, symbol);
      if (instrument === undefined) return [];
      const { leverage, marginMode } = knownLeverage(deps, account, instrument);
      return [{ symbol, leverage, marginMode }];
    }),
    // The shown exposure and stop-loss result depend on the current holdings.
    held: heldLegs(position),
    protection: (position === undefined ? [] : deps.state.positions.bracketsOf(position.id))
      .map(({ bracketType: kind, armed: { bracket }, status: now }) => ({
        ...{ kind, bracket },
        ...(now === 'PAUSED' ? { isPaused: true as const } : {}),
      }))
      .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
    rebalance: rebalanceTerms(
      position === undefined ? undefined : deps.state.positions.rebalanceOf(position.id),
    ),
    changes,
  };
}

function rebalanceTerms(config: AutoRebalance | undefined): JsonValue {
  if (config === undefined) return null;
  const { mode, action, minimumDrift, timeframe, cooldownSeconds, maxTradeUsd, onLegFailure, status } =
    config;
  const limits = { minimumDrift, timeframe, cooldownSeconds, maxTradeUsd, onLegFailure };
  return { mode, action, ...limits, status };
}

const NAMES = [
  'accountMode',
  'leverage',
  'held',
  'protection',
  'rebalance',
  'changes',
] as const satisfies readonly (keyof ShownTerms)[];

/** Names of the terms that differ from the shown ones. @param shown undefined: an earlier version showed none */
export function changedTerms(shown: ShownTerms | undefined, now: ShownTerms): readonly (keyof ShownTerms)[] {
  return shown === undefined ? NAMES : NAMES.filter((name) => textOf(shown[name]) !== textOf(now[name]));
}

function textOf(term: ShownTerms[keyof ShownTerms]): string {
  return canonicalJson(jsonOf(term ?? null));
}

/** Position of the account that a request names in its path. */
export function namedPosition(
  { state }: Pick<Deps, 'state'>,
  account: Pick<Account, 'id'>,
  params: JsonValue,
): Position | undefined {
  const ids = Object.values(params ?? {}).filter((value) => typeof value === 'string');
  return ids.map((id) => state.positions.get(id)).find((position) => position?.tradeAccountId === account.id);
}

/** Position that an order of these legs adds to, or reduces. */
function sameBasket({ state }: Deps, account: Account, legs: readonly TradedLeg[]): Position | undefined {
  const basket = basketOf(
    legs.map(({ symbol, side, reduces }) => ({ symbol, side: reduces ? otherSide(side) : side })),
  );
  return state.positions.of(account.id).find((position) => basketOf(position.legs) === basket);
}

function basketOf(legs: readonly Pick<ShownLeg, 'symbol' | 'side'>[]): string {
  return [...new Set(legs.map(({ symbol, side }) => `${symbol} ${side}`))].sort().join(', ');
}
