/** Amount that a schedule may still open, as a part of the worst case reserved for all of it. */
import { Decimal, type DecimalString, dec, sum, text, ZERO } from './decimal.ts';
import type { Schedule, SliceLeg } from './schedule.ts';
import { remainingOf } from './slicing.ts';

const PLACES = 12;

/** USD at the marks of the schedule's making, of amounts in the units of its ledger. */
function atMarks(
  { ledger }: Pick<Schedule, 'ledger'>,
  amountOf: (symbol: string, index: number) => Decimal,
): Decimal {
  return sum(ledger.map(({ symbol, usdPerUnit }, index) => amountOf(symbol, index).mul(usdPerUnit)));
}

function share(schedule: Pick<Schedule, 'ledger'>, part: Decimal, reservedUsd: DecimalString): DecimalString {
  const whole = atMarks(schedule, (_, index) => dec(schedule.ledger[index]?.total ?? 0));
  if (whole.isZero()) return '0';
  return text(part.mul(reservedUsd).div(whole).toDecimalPlaces(PLACES, Decimal.ROUND_UP));
}

export function worstOfSlice(
  schedule: Pick<Schedule, 'ledger'>,
  legs: readonly SliceLeg[],
  reservedUsd: DecimalString,
): DecimalString {
  const asked = atMarks(schedule, (symbol) => dec(legs.find((leg) => leg.symbol === symbol)?.amount ?? 0));
  return share(schedule, asked, reservedUsd);
}

/** Remainder that no slice has filled or given up, and none is filling now. */
export function worstLeft(
  schedule: Pick<Schedule, 'ledger' | 'slices'>,
  reservedUsd: DecimalString,
): DecimalString {
  const sent = schedule.slices.find(({ status }) => status === 'EXECUTING')?.legs ?? [];
  const left = atMarks(schedule, (symbol, index) => {
    const row = schedule.ledger[index];
    const leg = sent.find((one) => one.symbol === symbol);
    // Once a slice is being unwound, nothing of it is on its way any more.
    const onItsWay = leg === undefined || leg.unwound !== undefined ? 0 : leg.amount;
    return row === undefined ? ZERO : Decimal.max(ZERO, remainingOf(row).minus(onItsWay));
  });
  return share(schedule, left, reservedUsd);
}
