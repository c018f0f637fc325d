/**
 * Check that orders at a live venue behave as Tandem expects, with the smallest possible orders sent the usual way. A
 * person starts it. It needs no arming, and costs two fees and a spread.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { busy, type EngineError, invalid, marketsUnknown } from '../../core/errors.ts';
import { takesOpening } from '../../core/may-open.ts';
import { venueAccount, venueOf } from '../../execution/ask-venue.ts';
import { knowsMarkets } from '../../execution/check-symbols.ts';
import type { OrderLookup, VenueCheckStep } from '../../ports/venue.ts';
import { CheckDesk } from './check-desk.ts';
import { checkedInstrument } from './checked-instrument.ts';

type Tell = (step: VenueCheckStep) => void;
type Done = Extract<OrderLookup, { kind: 'done' }>;

/** Tolerance as a fraction of the fee at the venue's rate, as rates may change. Venues round to 0.000001 USD. */
const FEE_TOLERANCE = '0.02';
const ROUNDING_USD = '0.00001';
const CLOSE_TRIES = 5;

/**
 * Blocks new baskets on the account during the check. The last step reports a quantity that it could not close again.
 * Errors: VALIDATION_ERROR (no usable instrument), RESOURCE_BUSY (trading is paused, the venue accepts only closing
 * orders, the account has baskets or pending orders), CONFIGURATION_ERROR.
 */
export async function checkOrders(
  deps: EngineDeps,
  account: TradeAccount,
  tell: Tell,
): Promise<Result<null, EngineError>> {
  const paused = deps.tradingPause.check(account.userId);
  if (!paused.ok) return paused;
  const open = takesOpening(deps, account);
  if (!open.ok) return open;
  if (!knowsMarkets(deps, account)) return marketsUnknown();
  const release = deps.state.claims.hold(account.id);
  if (release === null) {
    return busy(
      'The account is in use: orders are checked on one without baskets, waiting orders and running executions',
    );
  }
  try {
    const chosen = await checkedInstrument(deps, account);
    if (!chosen.ok) return chosen;
    if (chosen.value === null)
      return invalid(
        'tradeAccountId',
        'No instrument has an order of 12 USD or less that the account does not hold already',
      );
    const desk = new CheckDesk(deps, venueOf(deps, account.connector), venueAccount(account), chosen.value);
    await run(deps, account, desk, tell);
    return ok(null);
  } finally {
    release();
  }
}

const fine = (name: string, detail: string): VenueCheckStep => ({ name, ok: true, detail, remedy: null });
const bad = (name: string, detail: string, remedy: string): VenueCheckStep => ({
  name,
  ok: false,
  detail,
  remedy,
});
const REPORT =
  'Do not trade here with this version: report the transcript (--transcript) to the makers of Tandem';

async function run(deps: EngineDeps, account: TradeAccount, desk: CheckDesk, tell: Tell): Promise<void> {
  const far = await farOrder(desk, tell);
  await expired(desk, tell);
  await batch(desk, tell);
  await neverSent(desk, tell);
  // Trading was paused meanwhile: nothing opens any more.
  const mayOpen = deps.tradingPause.check(account.userId);
  if (!mayOpen.ok) {
    tell(bad('order_open', mayOpen.error.message, 'Resume trading and check again'));
    return;
  }
  if (!far) {
    tell(bad('order_open', 'Not tried, because the order before went wrong', 'Mend that first'));
    return;
  }
  const { order, outcome } = await desk.place({ side: 'BUY', price: 'near' });
  const isOpen = outcome.kind === 'done' && dec(outcome.filledQuantity).gt(0);
  if (isOpen) tell(fine('order_open', `Bought ${outcome.filledQuantity} ${desk.symbol}`));
  else
    tell(
      bad(
        'order_open',
        `The smallest order did not fill: ${wordsOf(outcome)}`,
        'Look whether the account has margin, and check again',
      ),
    );
  if (isOpen) {
    await repeated(desk, order, outcome.filledQuantity, tell);
    await found(desk, order, outcome.filledQuantity, tell);
    await leverage(desk, tell);
  }
  const closing = await close(desk, tell);
  if (isOpen) await fills(desk, [order, ...closing], tell);
}

/** An IOC order far from the market: it ends at once without a fill. */
async function farOrder(desk: CheckDesk, tell: Tell): Promise<boolean> {
  const { outcome } = await desk.place({ side: 'BUY', price: 'far' });
  const isRight = outcome.kind === 'done' && dec(outcome.filledQuantity).isZero();
  if (isRight) tell(fine('order_far', 'An order far below the market filled nothing and does not rest'));
  else if (outcome.kind === 'done')
    tell(bad('order_far', `An order far below the market filled ${outcome.filledQuantity}`, REPORT));
  else tell(bad('order_far', `An order far below the market: ${wordsOf(outcome)}`, remedyOf(outcome)));
  return isRight;
}

async function expired(desk: CheckDesk, tell: Tell): Promise<void> {
  const { order, outcome } = await desk.place({ side: 'BUY', price: 'far', expiresInMs: -2_000 });
  if (outcome.kind === 'rejected' && outcome.reason === 'expired')
    return tell(fine('order_expired', 'An order past its expiry is refused'));
  // No answer is also fine if the venue does not have the order.
  const [looked] = await desk.lookUp([order]);
  if (outcome.kind === 'unknown' && looked?.kind === 'not_found')
    return tell(fine('order_expired', `An order past its expiry does not execute: ${wordsOf(outcome)}`));
  tell(bad('order_expired', `The venue took an order past its expiry: ${wordsOf(outcome)}`, REPORT));
}

/** One leg below the minimum, and one that only its price keeps from executing. */
async function batch(desk: CheckDesk, tell: Tell): Promise<void> {
  const [small, whole] = await desk.placeBoth(
    { side: 'BUY', price: 'far', quantity: 'step' },
    { side: 'BUY', price: 'far' },
  );
  if (small.kind !== 'rejected')
    return tell(bad('order_batch', `A leg below the minimum was not refused: ${wordsOf(small)}`, REPORT));
  if (whole.kind !== 'done' || !dec(whole.filledQuantity).isZero())
    return tell(bad('order_batch', `A refused leg touched the other one: ${wordsOf(whole)}`, REPORT));
  tell(fine('order_batch', `Of two legs one is refused alone: ${small.message}`));
}

async function neverSent(desk: CheckDesk, tell: Tell): Promise<void> {
  const [looked] = await desk.lookUp([desk.order({ side: 'BUY', price: 'far' })]);
  if (looked?.kind === 'not_found')
    return tell(fine('order_unknown', 'The venue denies an order that was never sent'));
  tell(
    bad(
      'order_unknown',
      `An order that was never sent: ${looked === undefined ? 'no answer' : wordsOf(looked)}`,
      REPORT,
    ),
  );
}

/** Repeats the client order id: it must not execute twice, because this makes a lost answer harmless. */
async function repeated(desk: CheckDesk, order: Order, filled: string, tell: Tell): Promise<void> {
  await desk.place({ side: 'BUY', price: 'near', again: order });
  const held = await desk.heldOnce(filled);
  if (held === null)
    return tell(bad('order_repeated', 'The venue did not say what the account holds', 'Check again'));
  if (dec(held).eq(filled))
    return tell(fine('order_repeated', 'A client order id that was used already executes nothing'));
  tell(
    bad('order_repeated', `A client order id executed twice: ${held} are held instead of ${filled}`, REPORT),
  );
}

async function found(desk: CheckDesk, order: Order, filled: string, tell: Tell): Promise<void> {
  const [looked] = await desk.lookUp([order]);
  if (looked?.kind === 'done' && dec(looked.filledQuantity).eq(filled))
    return tell(fine('order_lookup', 'The order is found by its client order id, with what filled'));
  const said = looked === undefined ? 'no answer' : wordsOf(looked);
  tell(bad('order_lookup', `An order that filled ${filled} is not found as such: ${said}`, REPORT));
}

/** Changes the leverage and restores it, checking it on the open position. */
async function leverage(desk: CheckDesk, tell: Tell): Promise<void> {
  const before = (await desk.position())?.leverage;
  if (before === undefined)
    return tell(bad('leverage', 'The venue does not show the position that was opened', 'Check again'));
  const other = before > 1 ? before - 1 : before + 1;
  for (const wanted of [other, before]) {
    const set = await desk.setLeverage(wanted);
    if (!set.ok) {
      if (wanted === before) await desk.setLeverage(before);
      return tell(
        bad('leverage', `${wanted}× was not taken: ${set.error.message}`, remedyOfLeverage(desk, before)),
      );
    }
    if (!(await desk.showsLeverage(wanted)))
      return tell(bad('leverage', `The position does not show ${wanted}×`, remedyOfLeverage(desk, before)));
  }
  tell(fine('leverage', `Set to ${other}× and back to ${before}×`));
}

function remedyOfLeverage({ symbol }: CheckDesk, before: number): string {
  return `Set ${symbol} to ${before}× at the venue, and check again`;
}

/** Sells reduce-only until nothing is held. @return the orders that filled */
async function close(desk: CheckDesk, tell: Tell): Promise<readonly Order[]> {
  const sent: Order[] = [];
  for (let tries = 0; tries < CLOSE_TRIES; tries += 1) {
    const held = await desk.held();
    if (held !== null && dec(held).lte(0)) {
      tell(
        fine(
          'order_close',
          sent.length === 0 ? 'Nothing is held' : 'Sold again, reduce-only: nothing is held',
        ),
      );
      return sent;
    }
    if (held === null) continue;
    const { order, outcome } = await desk.place({ side: 'SELL', price: 'near', quantity: held });
    if (outcome.kind === 'done' && dec(outcome.filledQuantity).gt(0)) {
      sent.push(order);
      await desk.heldOnce(text(dec(held).minus(outcome.filledQuantity)));
    }
  }
  const held = await desk.held();
  if (held !== null && dec(held).lte(0)) {
    tell(fine('order_close', 'Sold again, reduce-only: nothing is held'));
    return sent;
  }
  const what = held === null ? desk.symbol : `${held} ${desk.symbol}`;
  tell(
    bad(
      'order_close',
      `${what} may still be held`,
      `Close ${desk.symbol} at the venue: it is in no basket of Tandem`,
    ),
  );
  return sent;
}

/** Checks that both fills are reported with their fees, at the venue's rate. */
async function fills(desk: CheckDesk, orders: readonly Order[], tell: Tell): Promise<void> {
  const told = await desk.fillsOf(orders);
  if (told === null)
    return tell(
      bad('order_fills', 'The venue does not tell the fills of the orders that it filled', 'Check again'),
    );
  tell(fine('order_fills', `${told.length} fills, each with its price and its fee`));
  const rate = desk.takerRate;
  if (rate === null) return;
  const wrong = told.filter(({ price, quantity, fee }) => {
    const expected = dec(price).mul(quantity).mul(rate);
    return dec(fee).minus(expected).abs().gt(expected.abs().mul(FEE_TOLERANCE).plus(ROUNDING_USD));
  });
  const percent = text(dec(rate).mul(100));
  if (wrong.length === 0)
    return tell(fine('order_fees', `The fees are ${percent} % of what was traded, as the venue says`));
  const [first] = wrong;
  tell(
    bad(
      'order_fees',
      `A fill of ${text(dec(first?.price ?? '0').mul(first?.quantity ?? '0'))} USD cost ${first?.fee}, and the venue's rate is ${percent} %`,
      'Look at the terms of your account at the venue: Tandem adds no fee',
    ),
  );
}

function wordsOf(outcome: OrderLookup): string {
  switch (outcome.kind) {
    case 'done':
      return `it filled ${outcome.filledQuantity}`;
    case 'not_found':
      return 'the venue denies it';
    case 'resting':
      return 'it rests at the venue';
    case 'accepted':
      return 'the venue has taken it in and says nothing more';
    case 'rejected':
    case 'not_sent':
    case 'listed':
    case 'unknown':
      return outcome.message;
  }
}

function remedyOf(outcome: Exclude<OrderLookup, Done>): string {
  switch (outcome.kind) {
    case 'rejected':
      return outcome.reason === 'margin' ? 'Deposit some USD at the venue, and check again' : REPORT;
    case 'not_sent':
    case 'unknown':
      return 'Wait a minute and check again';
    default:
      return REPORT;
  }
}

type Order = ReturnType<CheckDesk['order']>;
