/** Preview of a mass cancellation, in words. */
import type { Row } from '../../../gateway/client/client.ts';
import { basketName } from '../basket-name/basket-name.ts';

type Trigger = Pick<Row<'GET /triggers'>, 'status' | 'ladderId' | 'bracketType' | 'positionId' | 'legs'>;

export interface Going {
  readonly triggers: readonly Trigger[];
  readonly schedules: readonly Pick<Row<'GET /schedules'>, 'status'>[];
  /** Number of open orders at the venue. */
  readonly orders: number;
}

/** `Cancels 4 triggers, 7 ladder rungs, 1 TWAP and 2 orders. 2 of them are paused.`; null: nothing is pending. */
export function goingText({ triggers, schedules, orders }: Going): string | null {
  const rungs = triggers.filter(({ ladderId }) => ladderId !== null).length;
  const parts = [
    counted(triggers.length - rungs, 'trigger'),
    counted(rungs, 'ladder rung'),
    counted(schedules.length, 'TWAP'),
    counted(orders, 'order'),
  ].filter((part) => part !== null);
  const last = parts.pop();
  if (last === undefined) return null;
  const paused = [...triggers, ...schedules].filter(({ status }) => status === 'PAUSED').length;
  const all = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return `Cancels ${all}.${paused === 0 ? '' : ` ${paused} of them ${paused === 1 ? 'is' : 'are'} paused.`}`;
}

/**
 * `2 open positions lose their stop-loss: BTC / ETH, SOL`, and the same for take-profits; one line for each lost kind.
 * @param tickerOf instrument id → ticker
 */
export function unprotectedTexts(
  triggers: readonly Trigger[],
  tickerOf: (symbol: string) => string,
): readonly string[] {
  const lost = ([type, name]: readonly [Trigger['bracketType'], string]) => {
    const names = new Map(
      triggers
        .filter(({ bracketType }) => bracketType === type)
        .map(({ positionId, legs }) => [positionId, basketName(legs, tickerOf).text]),
    );
    const { size } = names;
    if (size === 0) return [];
    const who = size === 1 ? '1 open position loses its' : `${size} open positions lose their`;
    return [`${who} ${name}: ${[...names.values()].join(', ')}`];
  };
  return ([['STOP_LOSS', 'stop-loss'] as const, ['TAKE_PROFIT', 'take-profit'] as const] as const).flatMap(
    lost,
  );
}

function counted(count: number, what: string): string | null {
  return count === 0 ? null : `${count} ${what}${count === 1 ? '' : 's'}`;
}
