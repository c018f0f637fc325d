/** A trigger desk with an open pair, whose take-profit and stop-loss are set as its trader sets them. */
import type { Bracket } from '../../../../gateway/domain/trigger.ts';
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
