import type { z } from 'zod';
import type { askedLeg } from '../../contract/basket-order.ts';
import type { TradeLeg } from '../../domain/model.ts';

export function presentLeg({ symbol, side, mode, amount }: TradeLeg): z.input<typeof askedLeg> {
  return { symbol, side, mode, amount };
}
