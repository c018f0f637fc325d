/** Unknown words and fields, missing fields and NaN in messages of live venues stop no mark, lock no basket and hide no fill. */
import type { Json } from '../support/json.ts';
import * as hyperliquid from '../support/venues/hyperliquid/live-gateway.ts';
import * as lighter from '../support/venues/lighter/live-gateway.ts';
import { faultSuite } from '../support/venues/shared/live-faults.ts';
import { itSurvivesMutations } from '../support/venues/shared/mutated-messages.ts';

/** By the market's index at Lighter. */
const SYMBOLS: Readonly<Record<number, string>> = { 0: 'ETH-PERP', 1: 'BTC-PERP', 2: 'SOL-PERP' };

describe('API: Hyperliquid, emulated: mutated messages', () => {
  const suite = faultSuite(
    (dataDir) => hyperliquid.LiveGateway.start(dataDir),
    () => {},
  );
  itSurvivesMutations(() => {
    const { live, bot } = suite;
    return {
      ...{ live, bot, connector: 'hyperliquid' },
      changeAnswers: (act) => bot.script.fault({ ...act, on: '*', times: null }),
      booked: () =>
        bot.script
          .state(bot.address)
          .fills.map(({ coin, side, sz, px }: Json) => [
            ...[`${coin}-PERP`, side === 'B' ? 'BUY' : 'SELL', Number(sz), Number(px)],
          ]) as never,
      // An instrument's id is its place in these lists.
      isOrdered: (message) => message?.channel === 'allDexsAssetCtxs' || message?.[0]?.universe !== undefined,
    };
  });
});

describe('API: Lighter, emulated: mutated messages', () => {
  const suite = faultSuite(
    (dataDir) => lighter.LiveGateway.start(dataDir),
    () => {},
  );
  itSurvivesMutations(() => {
    const { live, bot } = suite;
    return {
      ...{ live, bot, connector: 'lighter' },
      changeAnswers: (act) => bot.script.fault({ ...act, on: '*', times: null }),
      booked: () =>
        bot.script.state(bot.index).trades.map((trade: Json) => {
          const isAsk = String(trade.ask_account_id) === String(bot.index);
          return [SYMBOLS[trade.market_id], isAsk ? 'SELL' : 'BUY', Number(trade.size), Number(trade.price)];
        }) as never,
      isOrdered: () => false,
    };
  });
});
