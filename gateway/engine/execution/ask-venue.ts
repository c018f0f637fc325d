/** The venue of an account, and its answer about the account's positions and balances. */
import type { ExecutionErrorCode, Instrument, LeverageSetting, TradeAccount } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import type {
  FeeRates,
  Venue,
  VenueAccount,
  VenueBalances,
  VenueError,
  VenuePosition,
} from '../ports/venue.ts';

export function venueOf(deps: Pick<EngineDeps, 'venues'>, connector: string): Venue {
  const venue = deps.venues.get(connector);
  if (venue === undefined) throw new Error(`connector ${connector} vanished`);
  return venue;
}

export function venueAccount(account: Pick<TradeAccount, 'id' | 'exchangeIdentifier'>): VenueAccount {
  return { tradeAccountId: account.id, exchangeIdentifier: account.exchangeIdentifier };
}

export interface VenueView {
  /** Time of the request to the venue, clock uptime in ms. Later events may be missing from the answer. */
  readonly askedAt: number;
  /** Signed base units by instrument. */
  readonly net: ReadonlyMap<string, string>;
  readonly positions: readonly VenuePosition[];
  readonly balances: VenueBalances;
}

/**
 * Leverage at which the venue margins more of an instrument: that of its position, else the stored setting, which the
 * venue knows only if somebody set it. undefined: neither exists, and the instrument's default applies.
 */
export function leverageAt(
  { state }: Pick<EngineDeps, 'state'>,
  account: Pick<TradeAccount, 'id'>,
  symbol: string,
  positions: readonly VenuePosition[],
): Pick<LeverageSetting, 'leverage' | 'marginMode'> | undefined {
  return positions.find((one) => one.symbol === symbol) ?? state.leverage.get(account.id, symbol);
}

/**
 * `leverageAt`, or the instrument's default, for read-only callers. The venue is not asked, so the leverage of its
 * position is known only from the account's stream.
 */
export function knownLeverage(
  deps: Pick<EngineDeps, 'state' | 'venues'>,
  account: Pick<TradeAccount, 'id' | 'connector' | 'exchangeIdentifier'>,
  instrument: Instrument,
): Pick<LeverageSetting, 'leverage' | 'marginMode'> {
  const kept = deps.venues.get(account.connector)?.accountState?.(venueAccount(account))?.positions ?? [];
  return (
    leverageAt(deps, account, instrument.id, kept) ?? deps.state.leverage.inForce(account.id, instrument)
  );
}

/** Reason why an execution could not continue. */
export interface NotAnswered {
  readonly error: string;
  readonly errorCode: ExecutionErrorCode;
  /** True: the venue did not answer, or cannot now. It may still accept orders. */
  readonly isSilence?: boolean;
}

/** @param anew true: asks the venue even if the account's stream has stored an answer */
export async function askVenue(
  deps: Pick<EngineDeps, 'venues' | 'clock'>,
  account: TradeAccount,
  anew = false,
): Promise<Result<VenueView, NotAnswered>> {
  const refused = withoutCredentials(account);
  if (refused !== null) return fail(refused);
  const venue = deps.venues.get(account.connector);
  if (venue === undefined) {
    return fail({
      error: `Connector ${account.connector} is not available`,
      errorCode: 'CONFIGURATION_ERROR',
    });
  }
  const askedAt = deps.clock.uptime();
  const kept = anew ? null : (venue.accountState?.(venueAccount(account)) ?? null);
  if (kept !== null) return ok(viewOf(askedAt, kept.positions, kept.balances));
  const [balances, positions] = await Promise.all([
    venue.balances(venueAccount(account)),
    venue.positions(venueAccount(account)),
  ]);
  if (!balances.ok) return fail(unanswered(balances.error));
  if (!positions.ok) return fail(unanswered(positions.error));
  return ok(viewOf(askedAt, positions.value, balances.value));
}

function viewOf(askedAt: number, positions: readonly VenuePosition[], balances: VenueBalances): VenueView {
  const net = new Map(positions.map(({ symbol, quantity }) => [symbol, quantity]));
  return { askedAt, net, positions, balances };
}

/** Reason why the account cannot trade (no usable credentials); null if it can. */
function withoutCredentials({ status }: TradeAccount): NotAnswered | null {
  if (status !== 'NO_CREDENTIALS' && status !== 'INVALID_CREDENTIALS') return null;
  return { error: 'The trade account has no valid venue credentials', errorCode: 'CREDENTIALS_MISSING' };
}

function unanswered({ kind, message }: VenueError): NotAnswered {
  return {
    error: `The venue did not answer: ${message}`,
    errorCode: 'CONFIGURATION_ERROR',
    isSilence: kind === 'unknown' || kind === 'throttled',
  };
}

/** The account's own rates; the venue's lowest tier until they are known. */
export function feeRatesOf(deps: Pick<EngineDeps, 'venues'>, account: TradeAccount): FeeRates {
  const venue = venueOf(deps, account.connector);
  const { takerRate: taker, makerRate: maker } = venue.info;
  return venue.feeRates?.(venueAccount(account)) ?? { taker, maker };
}
