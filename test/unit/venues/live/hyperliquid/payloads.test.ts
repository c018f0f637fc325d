/** Recorded answers of the venue are read. Answers with one place changed: `mutated-readers`. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import * as wire from '../../../../../gateway/venues/live/hyperliquid/wire.ts';
import { read } from '../../../../../gateway/venues/live/kit/wire.ts';
import { unwrap } from '../../../../support/unwrap.ts';

const DATA = new URL('../../../../data/live/hyperliquid/', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, DATA), 'utf8');

interface Recorded {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
}

const OF_FILE: Readonly<Record<string, z.ZodType>> = {
  'http_l2_book_btc.json': wire.book,
  'http_l2_book_snapshot.json': wire.book,
  'http_meta_perp_sample.json': wire.meta,
  'http_all_perp_metas_non_usdc_collateral.json': z.array(wire.meta),
  'http_clearinghouse_state_negative_total_raw_usd.json': wire.clearinghouseState,
  'http_spot_clearinghouse_state.json': wire.spotState,
  'http_user_fills_dust_conversion.json': wire.fills,
  'ws_all_dexs_asset_ctxs.json': z.object({ data: wire.contextsNews }),
  'ws_user_fill_liquidation.json': z.object({ data: z.object({ fills: wire.fills }) }),
};
/** Answers to questions that the adapter asks. */
const OF_QUESTION: Readonly<Record<string, z.ZodType>> = {
  l2Book: wire.book,
  meta: wire.meta,
  metaAndAssetCtxs: wire.metaAndContexts,
  clearinghouseState: wire.clearinghouseState,
  spotClearinghouseState: wire.spotState,
  openOrders: wire.openOrders,
  userFills: wire.fills,
  userFillsByTime: wire.fills,
  userFunding: wire.funding,
  orderStatus: wire.orderStatus,
  historicalOrders: wire.historicalOrders,
  userRole: wire.role,
  extraAgents: wire.agents,
};

const { interactions } = JSON.parse(text('recorded-info.json')) as {
  interactions: { request: { type: string }; response: unknown }[];
};
const recorded: readonly Recorded[] = [
  ...readdirSync(new URL('payloads/', DATA)).flatMap((name) => {
    const schema = OF_FILE[name];
    return schema === undefined ? [] : [{ name, schema, value: JSON.parse(text(`payloads/${name}`)) }];
  }),
  ...interactions.flatMap(({ request, response }, index) => {
    const schema = OF_QUESTION[request.type];
    return schema === undefined ? [] : [{ name: `${request.type} ${index}`, schema, value: response }];
  }),
];

describe('recorded answers of Hyperliquid', () => {
  it('are enough to mean something', () => {
    expect(recorded.length).to.be.greaterThan(12);
  });

  for (const { name, schema, value } of recorded)
    it(`${name} is read`, () => {
      unwrap(read(schema, JSON.stringify(value)));
    });

  it('a new field is ignored', () => {
    const meta = { universe: [], somethingNew: 1 };
    expect(read(wire.meta, JSON.stringify(meta)).ok).to.equal(true);
  });
});
