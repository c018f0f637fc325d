/**
 * Moves margin into or out of an isolated leg. Venues do not detect repeated requests. So the idempotency key is
 * claimed on disk before the venue is asked, and a repeated key never moves margin twice. If the venue never
 * answered, the answer says that the outcome is unknown.
 */

import { type DecimalString, dec, textRounded } from '../../domain/decimal.ts';
import type { Position, Principal, TradeAccount } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import {
  busy,
  type EngineError,
  invalid,
  marketsUnknown,
  noop,
  notFound,
  storeFailed,
} from '../core/errors.ts';
import { positionUpdated } from '../core/events.ts';
import { type Answered, CLAIMED, type MakeCommand, RELEASED_AT } from '../core/idempotency.ts';
import { venueAccount, venueOf } from '../execution/ask-venue.ts';
import { knowsMarkets } from '../execution/check-symbols.ts';
import { mayMoveMargin } from '../execution/may-wait.ts';
import type { AcceptDeps } from '../execution/start-execution.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import type { Venue, VenuePosition } from '../ports/venue.ts';
import { openPositionOf } from './change-position.ts';

export interface MarginChange {
  readonly positionId: string;
  readonly symbol: string;
  /** Change of margin, USD; positive: added, negative: taken out. */
  readonly amount: DecimalString;
  /** The leg's margin at the venue after the change; null: the venue did not report it. */
  readonly marginUsed: DecimalString | null;
  readonly liquidationPrice: DecimalString | null;
}

type Asked = Pick<MarginChange, 'positionId' | 'symbol' | 'amount'>;
type RecordOf = (status: number, json: string, now: number) => readonly IdempotencyRecord[];

export async function changeMargin(
  deps: AcceptDeps,
  command: MakeCommand<MarginChange>,
  asked: Asked,
  principal: Principal,
): Promise<Result<Answered, EngineError>> {
  const { account } = command;
  const venue = venueOf(deps, account.connector);
  if (!venue.info.capabilities.includes('margin_change')) return unsupported(account);
  const found = await openPositionOf(deps, command, asked.positionId);
  if (!found.ok) return found;
  return deps.idempotency.run(command.idempotency, async (record) => {
    if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
    const turn = deps.state.claims.takeTurn(account.id, found.value.basketKey, 'refuse');
    if (!turn.ok) {
      return busy('Another action on this basket or account is still running', { heldBy: turn.error });
    }
    try {
      const position = checkLeg(deps, account, asked);
      if (!position.ok) return position;
      const allowed = mayMoveMargin(deps, principal, account, asked);
      if (!allowed.ok) return allowed;
      const fits = await agentsMostMargin(deps, venue, account, asked, principal);
      if (!fits.ok) return fits;
      return await move(deps, venue, command, asked, position.value, record);
    } finally {
      turn.value.giveUp();
    }
  });
}

/**
 * An agent adds no more margin than the leg's value. More would protect nothing, and would reduce the free margin that
 * the user's other positions need.
 */
async function agentsMostMargin(
  deps: AcceptDeps,
  venue: Venue,
  account: TradeAccount,
  { symbol, amount }: Asked,
  principal: Principal,
): Promise<Result<null, EngineError>> {
  if (deps.warden.ofPrincipal(principal) === null || dec(amount).isNegative()) return ok(null);
  const held = await holdingOf(venue, account, symbol);
  const mark = deps.market.quote(account.connector, symbol)?.mark;
  if (held === undefined || mark === undefined) return invalid('amount', 'The leg is not known at the venue');
  const worth = dec(held.quantity).abs().mul(mark);
  if (dec(held.marginUsed).plus(amount).lte(worth)) return ok(null);
  return invalid('amount', `An agent adds margin up to what the leg is worth, ${textRounded(worth, 2)} USD`);
}

function checkLeg(deps: AcceptDeps, account: TradeAccount, asked: Asked): Result<Position, EngineError> {
  if (deps.accountOf(account.id) === undefined) return notFound('Trade account');
  const position = deps.state.positions.get(asked.positionId);
  if (position === undefined) return noop('The position is already closed');
  if (!knowsMarkets(deps, account)) return marketsUnknown();
  const leg = position.legs.find(({ symbol }) => symbol === asked.symbol);
  const instrument = deps.market.instrument(account.connector, asked.symbol);
  if (leg === undefined || instrument === undefined) return invalid('symbol', 'Not a leg of this position');
  if (leg.quantity === '0') return invalid('symbol', `Nothing is open in ${asked.symbol}`);
  if (deps.state.leverage.inForce(account.id, instrument).marginMode !== 'isolated') {
    return invalid('symbol', `${asked.symbol} has cross margin`);
  }
  return ok(position);
}

async function move(
  deps: AcceptDeps,
  venue: Venue,
  command: MakeCommand<MarginChange>,
  asked: Asked,
  position: Position,
  record: RecordOf,
): Promise<Result<Answered, EngineError>> {
  const { account } = command;
  const claim = record(CLAIMED, '', deps.clock.now());
  if (claim.length > 0) {
    const claimed = await deps.store.commit({ idempotency: claim });
    if (!claimed.ok) return storeFailed(claimed.error);
  }
  const { symbol, amount } = asked;
  const told = await venue.changeMargin?.(venueAccount(account), { symbol, amount });
  if (told === undefined || (!told.ok && told.error.kind !== 'unknown')) {
    if (claim.length > 0) await deps.store.commit({ answeredKeys: record(CLAIMED, '', RELEASED_AT) });
    return told === undefined || told.error.kind === 'unsupported'
      ? unsupported(account)
      : invalid('amount', told.error.message, 'venue_rejected');
  }
  // The claim stays: repeating the key must not move the margin a second time.
  if (!told.ok) return unknownOutcome();
  const held = await holdingOf(venue, account, symbol);
  const json = command.answer({
    positionId: position.id,
    symbol,
    amount,
    marginUsed: held?.marginUsed ?? null,
    liquidationPrice: held?.liquidationPrice ?? null,
  });
  const now = deps.clock.now();
  const event = positionUpdated({ ...position, updatedAt: now });
  const answered = await deps.store.commit({ answeredKeys: record(200, json, now), events: [event] });
  if (!answered.ok) {
    const reason = answered.error.message;
    deps.logger.warn(
      { positionId: position.id, symbol, reason },
      'the answer of a margin change was not kept',
    );
  }
  return ok({ status: 200, json, replayed: false });
}

async function holdingOf(
  venue: Venue,
  account: TradeAccount,
  symbol: string,
): Promise<VenuePosition | undefined> {
  const held = await venue.positions(venueAccount(account));
  return held.ok ? held.value.find((position) => position.symbol === symbol) : undefined;
}

function unsupported(account: TradeAccount) {
  return fail<EngineError>({
    code: 'NOT_IMPLEMENTED_ERROR',
    message: `The margin of a leg cannot be changed on connector ${account.connector}`,
    details: {},
  });
}

function unknownOutcome() {
  return fail<EngineError>({
    code: 'CONFIGURATION_ERROR',
    message: "The venue did not answer: look at the leg's margin before asking again",
    details: { reason: 'OUTCOME_UNKNOWN' },
  });
}
