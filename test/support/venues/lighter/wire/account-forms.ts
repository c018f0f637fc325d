/** Wire forms of accounts, positions and balances. */
import { type Decimal, dec, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import {
  accountValue,
  crossValue,
  freeMargin,
  initial,
  liquidationPrice,
  maintenance,
  notional,
  open,
  positionsOf,
  unrealised,
} from '../../shared/world/margin.ts';
import type { Position as SharedPosition } from '../../shared/world/parts.ts';
import type { Account } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';
import type { World } from '../state/world.ts';
import { priceText, sizeText, usd } from './forms.ts';

type Position = SharedPosition<Market>;

/** By their number on the wire, of which only 0 is sure. */
const TIERS = ['standard', 'premium', 'plus', 'builder'];
const USDC = { symbol: 'USDC', asset_id: 3 };

export function positionForm(world: World, account: Account, position: Position) {
  const { market, size, cost, margin } = position;
  const isOpen = !size.isZero();
  const orders = world.orders.open(account).filter((order) => order.market === market).length;
  return {
    ...{ market_id: market.index, symbol: market.name },
    initial_margin_fraction: dec(margin.initial[0]).div(100).toFixed(2),
    ...{ open_order_count: orders, pending_order_count: 0, position_tied_order_count: 0 },
    ...{ sign: size.isNegative() ? -1 : 1, position: sizeText(market, size.abs()) },
    // Twice as exact as the market's prices: an average has more digits than a price.
    avg_entry_price: isOpen ? cost.div(size).toFixed(market.priceDecimals + 2) : priceText(market, ZERO),
    position_value: usd(notional(position)),
    unrealized_pnl: usd(isOpen ? unrealised(position) : ZERO),
    realized_pnl: usd(position.realised),
    liquidation_price: isOpen ? text(liquidationPrice(account, position) ?? ZERO, market.priceDecimals) : '0',
    total_funding_paid_out: usd(position.fundingPaid),
    ...{ margin_mode: margin.isCross ? 0 : 1, margin_set_flag: 0 },
    ...{ allocated_margin: usd(position.allocated), total_discount: '0.000000' },
  };
}

function text(price: Decimal, decimals: number): string {
  return price.isZero() ? '0' : price.toFixed(decimals);
}

export function assetForm(account: Account) {
  return {
    ...USDC,
    ...{ balance: '0.000000', locked_balance: '0.000000', margin_mode: 'disabled' },
    ...{ margin_balance: usd(account.cash), multiplier: '1' },
  };
}

/** Entry of an account in the list of its owner's accounts. */
export function accountForm(world: World, account: Account) {
  const orders = world.orders.open(account);
  const isolated = orders.filter(
    ({ market }) => account.positions.get(market.index)?.margin.isCross === false,
  );
  return {
    ...{ code: 0, account_type: TIERS.indexOf(account.tier), index: account.index },
    ...{ l1_address: account.l1Address, cancel_all_time: 0 },
    ...{
      total_order_count: orders.length,
      total_isolated_order_count: isolated.length,
      pending_order_count: 0,
    },
    ...{ available_balance: usd(freeMargin(account, orders)), status: 1, collateral: usd(account.cash) },
    ...{ transaction_time: 0, account_trading_mode: account.tradingMode },
  };
}

export function detailedAccountForm(world: World, account: Account, activeOnly: boolean) {
  const cross = positionsOf(account, true);
  const shown = activeOnly ? open(account) : [...account.positions.values()];
  return {
    ...accountForm(world, account),
    ...{ account_index: account.index, name: '', description: '', can_invite: false },
    ...{
      referral_points_percentage: '',
      can_rfq: false,
      can_rfq_market_ids: null,
      created_at: account.createdAt,
    },
    metadata: { color: '' },
    positions: shown.map((position) => positionForm(world, account, position)),
    assets: [assetForm(account)],
    total_asset_value: usd(accountValue(account)),
    cross_asset_value: usd(crossValue(account)),
    cross_initial_margin_requirement: usd(sum(cross.map(initial))),
    cross_maintenance_margin_requirement: usd(sum(cross.map(maintenance))),
    ...{ shares: [], pending_unlocks: [] },
    approved_integrators: [...account.integrators.values()].map((approval) => ({
      ...{ account_index: approval.account, name: '' },
      ...{ max_perps_taker_fee: approval.perpsTaker, max_perps_maker_fee: approval.perpsMaker },
      ...{ max_spot_taker_fee: approval.spotTaker, max_spot_maker_fee: approval.spotMaker },
      approval_expiry: approval.until,
    })),
  };
}

export function statsOf(world: World, account: Account) {
  const free = freeMargin(account, world.orders.open(account));
  const whole = accountValue(account);
  const worth = sum(open(account).map(notional));
  const used = whole.isZero() ? ZERO : whole.minus(free).div(whole).mul(100);
  const part = {
    ...{ available_balance: usd(free), buying_power: '0', collateral: usd(account.cash) },
    leverage: (whole.isZero() ? ZERO : worth.div(whole)).toFixed(2),
    ...{ margin_usage: used.toFixed(2), portfolio_value: usd(whole) },
  };
  return { account_trading_mode: account.tradingMode, ...part, cross_stats: part, total_stats: part };
}

/** @param positions missing: all that are not closed */
export function positionsForm(
  world: World,
  account: Account,
  positions: readonly Position[] = open(account),
) {
  return Object.fromEntries(
    positions.map((position) => [position.market.index, positionForm(world, account, position)]),
  );
}
