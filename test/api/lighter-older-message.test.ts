/** Lighter's stream tells positions; an older message of it may come last. What answers say stands against it. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/lighter/live-gateway.ts';
import type { LiveLeg } from '../support/venues/shared/live-account.ts';

const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '300'],
  ['ETH', 'SELL', '300'],
];

describe('API: Lighter, emulated: an older message of positions comes last', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  /** The basket is opened, closed, and opened again; then the messages of the close come once more. */
  async function reopened(more: Json = {}): Promise<string> {
    const { clock } = live.gateway;
    const said: Json[] = [];
    bot.script.streamFaults({
      change: (message: Json) => {
        if (String(message.channel).startsWith('account_all_positions')) said.push(structuredClone(message));
        return message;
      },
    });
    const first = await bot.open(PAIR);
    await clock.advance(130_000);
    await bot.close(first.positionId);
    const old = said.slice(-2);
    await clock.advance(10_000);
    const { positionId } = await bot.open(PAIR, more);
    await clock.advance(1_000);
    for (const { channel, ...fields } of old) bot.script.say(channel, fields);
    bot.script.streamFaults({});
    await clock.advance(1_000);
    return positionId;
  }

  it('the basket is closed all the same', async () => {
    expect(await bot.close(await reopened())).to.include({ status: 'COMPLETED', errorCode: null });
    expect(bot.held()).to.deep.equal({});
  });

  it('its stop-loss closes it all the same', async () => {
    await reopened({ stopLoss: { type: 'PERCENTAGE', value: '2' } });
    bot.script.setMark('BTC', '94000');
    await live.gateway.clock.advance(20_000);
    expect(bot.held()).to.deep.equal({});
  });
});
