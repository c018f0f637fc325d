/** Funding settlement: each position receives −q × mark × rate (negative: pays), to the smallest USDC unit. */
import { Decimal, dec, text } from '../../../domain/decimal.ts';
import type { Settlement } from '../market/settlement-log.ts';
import type { ExchangeContext } from './exchange-context.ts';

const AMOUNT_PLACES = 6;

export function settleFunding(context: ExchangeContext, settlement: Settlement): void {
  for (const account of context.accounts.byId.values()) {
    const position = account.positions.get(settlement.id);
    if (position === undefined) continue;
    const amount = position.quantity
      .neg()
      .mul(settlement.markPrice)
      .mul(dec(settlement.rate))
      .toDecimalPlaces(AMOUNT_PLACES, Decimal.ROUND_HALF_EVEN);
    context.emit({
      kind: 'funding',
      account: account.id,
      funding: {
        venueId: `${settlement.id}:${settlement.at}`,
        symbol: settlement.id,
        rate: settlement.rate,
        markPrice: settlement.markPrice,
        quantity: text(position.quantity),
        amount: text(amount),
        timestamp: context.wallOf(settlement.at),
      },
    });
  }
}
