/** One-line description of an order, for its card and its review. */

import type { Settings } from '../../api/settings-values.ts';
import { formatLevel, formatMoney, formatSpan } from '../../components/format.ts';
import { basketName } from '../../features/basket-name/basket-name.ts';
import { conditionText, inSentence } from '../../features/condition-text/condition-text.ts';
import type { Order } from './ticket.ts';

type Locale = Pick<Settings, 'locale'>;

/** Name of the order's basket: `BTC / ETH` */
export function orderBasket(order: Order, tickerOf: (id: string) => string): string {
  return basketName(order.body.legs, tickerOf).text;
}

/** `$1,000.00 at market`, `$1,000.00 when price ratio is below 25`, … A figure and its word stay on one line. */
export function orderWords(order: Order, settings: Locale, tickerOf: (id: string) => string): string {
  const usd = formatMoney(settings, order.body.totalUsd ?? '0');
  const levelText = (value: string) => formatLevel(settings, value);
  switch (order.route) {
    case 'POST /trade/open':
      return `${usd} at\u00a0market`;
    case 'POST /triggers/open':
      return `${usd} when ${inSentence(conditionText(order.body.condition, tickerOf, levelText)).replace(/ (?=(above|below) )/, ' is ')}`;
    case 'POST /schedules': {
      const { durationSeconds, intervalSeconds } = order.body;
      const count = Math.max(1, Math.floor(durationSeconds / intervalSeconds));
      return `${usd} in ${count}\u00a0${count === 1 ? 'slice' : 'slices'} over ${formatSpan(durationSeconds * 1_000)}`;
    }
    case 'POST /ladders': {
      const { levels, start, end } = order.body;
      return `${usd} in ${levels}\u00a0rungs from\u00a0${levelText(start)} to\u00a0${levelText(end)}`;
    }
  }
}

export const REVIEW_TITLES: Readonly<Record<Order['route'], string>> = {
  'POST /trade/open': 'Review the order',
  'POST /triggers/open': 'Review the trigger',
  'POST /schedules': 'Review the TWAP',
  'POST /ladders': 'Review the ladder',
};

export const PLACE_WORDS: Readonly<Record<Order['route'], string>> = {
  'POST /trade/open': 'Place order',
  'POST /triggers/open': 'Set trigger',
  'POST /schedules': 'Start TWAP',
  'POST /ladders': 'Place ladder',
};
