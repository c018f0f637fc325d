/**
 * A bracket that fired closes its position in rounds, each an execution of its own at fresh marks, until the position
 * is closed. A round that ends with the position open (too little in the book, a refusal, a halted instrument) is
 * followed by another round.
 *
 *   start of round n   0.25 s × 2^(n − 2) after the end of round n − 1, at most 30 s; round 1 at once
 *   limit of a round   mark ± slippage; a stop-loss begins with 0.03 and adds 0.01 a round up to 0.10, because it must
 *                      get out; a take-profit keeps 0.01, because it must take a profit
 *
 * Both brackets may want to close. While a round of one bracket is running, the other bracket is PAUSED; between the
 * rounds it watches again, so that a take-profit that cannot fill does not disable the stop-loss. A stop-loss whose
 * level is met between the rounds of a take-profit takes over; a take-profit never takes over from a stop-loss. A
 * stop-loss goes on watching during a round of the take-profit, because the venue may not answer for minutes: if its
 * level is met, it fires as soon as the round has ended, at any price by then.
 */
import { type DecimalString, dec, text } from './decimal.ts';
import { ok, type Result } from './result.ts';
import type { IllegalTransition } from './transition.ts';
import { type Bracket, type BracketKind, moved, type PauseReason, type Trigger } from './trigger.ts';

export type BracketRecord = Extract<Trigger, { readonly bracketType: BracketKind }>;

const FIRST_SLIPPAGE: Readonly<Record<BracketKind, DecimalString>> = {
  TAKE_PROFIT: '0.01',
  STOP_LOSS: '0.03',
};
const WIDER_BY = '0.01';
const WIDEST = '0.10';
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** Slippage of the first round. */
export function bracketSlippage(kind: BracketKind, bracket: Pick<Bracket, 'slippage'>): DecimalString {
  return bracket.slippage ?? FIRST_SLIPPAGE[kind];
}

/**
 * Slippage of the round that follows `rounds` others. A requested slippage of `WIDEST` or more stays as it is.
 */
export function roundSlippage(
  kind: BracketKind,
  bracket: Pick<Bracket, 'slippage'>,
  rounds: number,
): DecimalString {
  const first = dec(bracketSlippage(kind, bracket));
  if (kind === 'TAKE_PROFIT' || first.gte(WIDEST)) return text(first);
  const wider = first.plus(dec(WIDER_BY).mul(rounds));
  return text(wider.gt(WIDEST) ? dec(WIDEST) : wider);
}

/** Wait in ms from the end of round `rounds` (1, 2, …) to the next round. */
export function roundWaitMs(rounds: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(rounds - 1, 16), LONGEST_WAIT_MS);
}

/**
 * True where the trader is notified that round `rounds` did not close the position: rounds 1, 2, 4, 8, …, so that a day
 * of rounds at 30 s brings some ten notifications. Events and the trigger itself report every round.
 */
export function isRoundTold(rounds: number): boolean {
  return Number.isInteger(Math.log2(rounds));
}

/** Rounds of the bracket that ended and left the position open. */
export function roundsOf(bracket: Pick<BracketRecord, 'armed'>): number {
  return bracket.armed.work?.rounds ?? 0;
}

/** True while a round of the bracket is running: its execution has not ended. */
export function isRoundRunning(bracket: Pick<BracketRecord, 'status' | 'armed'>): boolean {
  return bracket.status === 'TRIGGERED' && (bracket.armed.work?.nextRoundAt ?? null) === null;
}

/** True while the bracket waits between two rounds. */
export function waitsForRound(bracket: Pick<BracketRecord, 'status' | 'armed'>): boolean {
  return bracket.status === 'TRIGGERED' && !isRoundRunning(bracket);
}

/** True for a stop-loss that watches although a round of the take-profit has paused it. */
export function watchesWhilePaused(one: Pick<Trigger, 'status' | 'pauseReason' | 'bracketType'>): boolean {
  return one.status === 'PAUSED' && one.pauseReason === 'OTHER_BRACKET' && one.bracketType === 'STOP_LOSS';
}

/** Notes that the level of a paused stop-loss was met at `value`. */
export function noteMet(stop: BracketRecord, value: DecimalString, now: number): BracketRecord {
  const error = `The level was met at ${value}. It fires when the outcome of the take-profit's close is known.`;
  return {
    ...stop,
    armed: { ...stop.armed, met: value },
    error,
    lastValue: value,
    lastCheckedAt: now,
    updatedAt: now,
  };
}

/** Ends a round of the bracket with the position still open. `reason` says why and what remains. */
export function goOn(
  bracket: BracketRecord,
  reason: string,
  now: number,
): Result<BracketRecord, IllegalTransition> {
  const rounds = roundsOf(bracket) + 1;
  const work = { rounds, nextRoundAt: now + roundWaitMs(rounds) };
  return asBracket(bracket, moved(bracket, 'go_on', now, { error: reason }), { work });
}

/**
 * Begins the bracket's next round with execution `executionId`. Commit the result together with the execution.
 */
export function tryAgain(
  bracket: BracketRecord,
  executionId: string,
  now: number,
): Result<BracketRecord, IllegalTransition> {
  const work = { rounds: roundsOf(bracket), nextRoundAt: null };
  return asBracket(bracket, moved(bracket, 'try_again', now, { executionId }), { work });
}

/**
 * Pauses a take-profit between its rounds because the stop-loss fires. When it fires again, it starts with round 1.
 */
export function giveWay(bracket: BracketRecord, now: number): Result<BracketRecord, IllegalTransition> {
  const pauseReason: PauseReason = 'OTHER_BRACKET';
  const changes = { pauseReason, error: null, executionId: null, triggeredAt: null };
  return asBracket(bracket, moved(bracket, 'give_way', now, changes), {});
}

function asBracket(
  { armed, bracketType }: BracketRecord,
  next: Result<Trigger, IllegalTransition>,
  { work }: Pick<BracketRecord['armed'], 'work'>,
): Result<BracketRecord, IllegalTransition> {
  if (!next.ok) return next;
  const { bracket, direction, peak, sized } = armed;
  const after = {
    bracket,
    direction,
    peak,
    ...(sized === undefined ? {} : { sized }),
    ...(work === undefined ? {} : { work }),
  };
  return ok({ ...next.value, condition: null, bracketType, armed: after });
}
