import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';

/** Σ quantity × average entry price of the legs, USD: the base of the return. */
export function enteredUsd({ legs }: Pick<Row<'GET /positions/closed'>, 'legs'>): string {
  return legs
    .reduce((sum, leg) => sum.plus(new Big(leg.quantity).times(leg.entryPrice ?? 0)), new Big(0))
    .toFixed();
}
