/** The account after the previewed order has filled, as a preview shows it. */
import { z } from 'zod';
import { dec, textRounded } from '../domain/decimal.ts';
import type { Answer } from './ask.ts';
import { nullableText } from './fields.ts';

type Told = Answer<'POST /positions/:id/close/plan'>['after'];

export const afterOut = z.object({
  margin_used_usd: z.string(),
  free_margin_usd: z.string(),
  maintenance_margin_usd: z.string(),
  margin_ratio_pct: nullableText.describe(
    'Liquidated from 100 on; null: nothing held, tiers not known, or (maintenance above 0) nothing backs it',
  ),
  liquidation_move_pct: nullableText.describe(
    'Move of the price ratio (one-sided: of the price) to the nearest liquidation; null: none near, or not known',
  ),
  liquidation_prices: z.array(
    z.object({ instrument: z.string(), price_usd: nullableText.describe('null: none, or not known') }),
  ),
});
export type AfterOut = z.input<typeof afterOut>;

export function afterOf(told: Told): AfterOut | null {
  if (told === null) return null;
  const { marginUsed, freeMargin, maintenanceMargin, marginRatio, basket, legs } = told;
  return {
    margin_used_usd: marginUsed,
    free_margin_usd: freeMargin,
    maintenance_margin_usd: maintenanceMargin,
    margin_ratio_pct: percentOf(marginRatio),
    liquidation_move_pct: percentOf(basket?.ratioMove ?? null),
    liquidation_prices: legs.map(({ symbol, liquidationPrice }) => ({
      instrument: symbol,
      price_usd: liquidationPrice,
    })),
  };
}

export function afterText(after: AfterOut): string {
  const { margin_ratio_pct: ratio, liquidation_move_pct: move } = after;
  const isUncovered = ratio === null && !dec(after.maintenance_margin_usd).isZero();
  const prices = after.liquidation_prices.flatMap(({ instrument, price_usd: price }) =>
    price === null ? [] : [`${instrument} ${price}`],
  );
  return [
    `Account after it: margin ${after.margin_used_usd} USD used, ${after.free_margin_usd} USD free`,
    ...(ratio === null ? [] : [`margin ratio ${ratio} % (liquidated from 100 on)`]),
    ...(isUncovered ? ['margin ratio not known, or nothing backs what is held'] : []),
    ...(move === null ? [] : [`nearest liquidation at a move of ${move} %`]),
    ...(prices.length === 0 ? [] : [`liquidation prices ${prices.join(', ')}`]),
  ]
    .join('; ')
    .concat('.');
}

function percentOf(fraction: string | null): string | null {
  return fraction === null ? null : textRounded(dec(fraction).mul(100), 4);
}
