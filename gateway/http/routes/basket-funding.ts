/** A basket's funding, now and as it was recorded. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { getBasketFunding } from '../../contract/basket-funding.ts';
import { type Decimal, type DecimalString, textRounded } from '../../domain/decimal.ts';
import { HOUR_MS } from '../../domain/funding-history.ts';
import type { Side } from '../../domain/model.ts';
import type { Clock } from '../../engine/ports/system.ts';
import { type Carry, carryHistory } from '../../market/carry-history.ts';
import type { FundingRecorder } from '../../market/funding-recorder.ts';
import type { Market } from '../../market/market.ts';
import { iso, isoOrNull } from '../present/time.ts';
import { checkListed } from './listed.ts';

/** Shares are rounded at 20 places: of legs that cancel out, a remainder would be left behind these. */
const PLACES = 15;
/** Hours of the two windows. */
const WINDOWS = [7 * 24, 30 * 24] as const;

export function basketFundingRoutes(deps: {
  readonly market: Pick<Market, 'has' | 'instrument' | 'funding'>;
  readonly funding: Pick<FundingRecorder, 'begunAt' | 'points'>;
  readonly clock: Pick<Clock, 'now'>;
}): readonly BoundRoute[] {
  const { market, funding, clock } = deps;
  return [
    bind(getBasketFunding, async ({ query }) => {
      const { connector, long = [], short = [], weights } = query;
      checkListed(market, connector, 'long', long);
      checkListed(market, connector, 'short', short);
      const symbols = [...long, ...short];
      // With funding every 8 hours, the hours since the last one are not settled yet.
      const step =
        HOUR_MS *
        Math.max(...symbols.map((id) => market.instrument(connector, id)?.fundingIntervalHours ?? 1));
      const to = Math.floor(clock.now() / step) * step;
      const legs = symbols.map((symbol, index) => ({
        symbol,
        side: index < long.length ? ('BUY' as Side) : ('SELL' as Side),
        weight: weights?.[index] ?? '1',
        now: market.funding(connector, symbol),
      }));
      const found = await carryHistory(funding, { connector, legs, to, windows: WINDOWS });
      return {
        body: {
          connector,
          ...present(found.net),
          hours7d: found.counts[0] ?? 0,
          hours30d: found.counts[1] ?? 0,
          to: iso(to),
          recordedSince: isoOrNull(funding.begunAt(connector)),
          legs: found.legs.map(({ share, ...carry }, index) => ({
            symbol: symbols[index] ?? '',
            side: legs[index]?.side ?? 'BUY',
            weight: figureOf(share),
            ...present(carry),
          })),
          history: found.hours.map(({ at, net }) => ({ time: iso(at), carryApr: figureOf(net) })),
        },
      };
    }),
  ];
}

function present({ now, means: [week, month] }: Carry) {
  return { carryApr: orNull(now), carryApr7d: orNull(week), carryApr30d: orNull(month) };
}

function orNull(value: Decimal | null | undefined): DecimalString | null {
  return value == null ? null : figureOf(value);
}

function figureOf(value: Decimal): DecimalString {
  return textRounded(value, PLACES);
}
