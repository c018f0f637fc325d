/**
 * A bracket that fired closes its position in rounds, each an execution of its own at fresh marks, until the position is
 * closed. What ends a round without that (too little in the book, a refusal, a halted instrument) leads to the next one.
 *
 *   round n begins    0.25 s × 2^(n − 2) after the end of the one before, at most 30 s; the first at once
 *   its limit is      mark ± slippage; a stop-loss begins with 0.03 and adds 0.01 a round up to 0.10, because it is to get out;
 *                     a take-profit keeps 0.01, because it is to take a profit
 *
 * Both brackets may want to close. The one whose round is on its way has the position, the other is PAUSED meanwhile and
 * watches again between the rounds, so that a take-profit that cannot fill takes nothing from the stop-loss. A stop-loss that
 * is met between the rounds of a take-profit takes over; a take-profit never takes over from a stop-loss.
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

/** Slippage of the round that follows `rounds` others. One that was asked for wider than the widest stays as it is. */
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

/** From the end of round `rounds` (1, 2, …) to the next one. */
export function roundWaitMs(rounds: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(rounds - 1, 16), LONGEST_WAIT_MS);
}

/**
 * True where the trader is notified that round `rounds` did not close the position: the first and each time that as many have
 * passed again (1, 2, 4, 8, …), so that a day at 30 s brings some ten. Events and the trigger itself tell of every round.
 */
export function isRoundTold(rounds: number): boolean {
  return Number.isInteger(Math.log2(rounds));
}

/** Rounds of it that ended and left the position open. */
export function roundsOf(bracket: Pick<BracketRecord, 'armed'>): number {
  return bracket.armed.work?.rounds ?? 0;
}

/** True while a round of it is on its way: an execution that has not ended. */
export function isRoundRunning(bracket: Pick<BracketRecord, 'status' | 'armed'>): boolean {
  return bracket.status === 'TRIGGERED' && (bracket.armed.work?.nextRoundAt ?? null) === null;
}

/** True between two rounds. */
export function waitsForRound(bracket: Pick<BracketRecord, 'status' | 'armed'>): boolean {
  return bracket.status === 'TRIGGERED' && !isRoundRunning(bracket);
}

/** Its round has ended and the position is still open. `reason` says why and what remains. */
export function goOn(
  bracket: BracketRecord,
  reason: string,
  now: number,
): Result<BracketRecord, IllegalTransition> {
  const rounds = roundsOf(bracket) + 1;
  const work = { rounds, nextRoundAt: now + roundWaitMs(rounds) };
  return asBracket(bracket, moved(bracket, 'go_on', now, { error: reason }), { work });
}

/** The next round begins with this execution. Commit this with it. */
export function tryAgain(
  bracket: BracketRecord,
  executionId: string,
  now: number,
): Result<BracketRecord, IllegalTransition> {
  const work = { rounds: roundsOf(bracket), nextRoundAt: null };
  return asBracket(bracket, moved(bracket, 'try_again', now, { executionId }), { work });
}

/** A take-profit between its rounds makes room for the stop-loss that fires; it begins anew when it fires again. */
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
  const { bracket, direction, peak } = armed;
  const after = { bracket, direction, peak, ...(work === undefined ? {} : { work }) };
  return ok({ ...next.value, condition: null, bracketType, armed: after });
}
