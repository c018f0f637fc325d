/** A trigger desk with an open pair, whose take-profit and stop-loss are set as its trader sets them. */
import { type BracketsMode, inMode, type PositionSetup } from '../../../../gateway/domain/position-setup.ts';
import type { Bracket, Trigger } from '../../../../gateway/domain/trigger.ts';
import type { EngineError } from '../../../../gateway/engine/core/errors.ts';
import { PRINCIPAL } from '../../../support/engine-desk.ts';
import type { TriggerDesk } from '../../../support/trigger-desk.ts';
import { unwrap } from '../../../support/unwrap.ts';

export interface BracketChange {
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
}

export const plain = (type: Bracket['type'], value: string): Bracket => ({ type, value, trailing: null });

export const trailing = (
  type: Bracket['type'],
  value: string,
  delta: string,
  activation: string | null = null,
): Bracket => ({ type, value, trailing: { delta, activation } });

/** Terms of an order that brings brackets to its position. */
export const setupOf = (
  { takeProfit = null, stopLoss = null }: BracketChange,
  mode: BracketsMode = 'KEEP',
): PositionSetup => ({
  takeProfit: inMode(takeProfit, mode),
  stopLoss: inMode(stopLoss, mode),
  autoRebalance: null,
});

/** The stop-loss of the account's only position, as it is on disk. */
export async function stopLossOf(at: TriggerDesk): Promise<Trigger> {
  const found = (await at.triggers()).find(({ bracketType }) => bracketType === 'STOP_LOSS');
  if (found === undefined) throw new Error('there is no stop-loss');
  return found;
}

export async function setBrackets(at: TriggerDesk, positionId: string, change: BracketChange) {
  return unwrap(await at.services.brackets.set(PRINCIPAL, at.desk.account, positionId, change));
}

export async function bracketsRefused(
  at: TriggerDesk,
  positionId: string,
  change: BracketChange,
): Promise<EngineError> {
  const done = await at.services.brackets.set(PRINCIPAL, at.desk.account, positionId, change);
  if (done.ok) throw new Error('the bracket was not refused');
  return done.error;
}

/** `PAUSED OTHER_BRACKET` */
export async function statusOf(at: TriggerDesk, id: string): Promise<string> {
  const { status, pauseReason } = await at.trigger(id);
  return pauseReason === null ? status : `${status} ${pauseReason}`;
}
