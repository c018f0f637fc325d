/** Public market routes of the venue. */
import { z } from 'zod';
import { REFUSALS } from '../state/refusals.ts';
import { detailForm } from '../wire/forms.ts';
import { answered, get, type Route, refused, whole } from './route.ts';

const ALL = 255;
const kinds = z.enum(['all', 'spot', 'perp']).default('all');

export const MARKET_ROUTES: Readonly<Record<string, Route>> = {
  orderBookDetails: get(
    z.strictObject({ market_id: whole.default(ALL), filter: kinds }),
    ({ world }, { fields }) => {
      const shown = world.markets.filter(
        ({ index }) => fields.market_id === ALL || index === fields.market_id,
      );
      if (shown.length === 0) return refused(REFUSALS.market);
      const order_book_details = fields.filter === 'spot' ? [] : shown.map(detailForm);
      return answered({ order_book_details, spot_order_book_details: [] });
    },
  ),
};
