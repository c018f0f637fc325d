/** Requests that Hyperliquid allows an account: counted, kept for closes, corrected by what the venue says. */
import { expect } from 'chai';
import { createRequestLimits } from '../../../../../gateway/venues/live/hyperliquid/request-limits.ts';
import { createBudget } from '../../../../../gateway/venues/live/kit/budget.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const USER = '0xabc';

function desk(first: { used: number; cap: number }) {
  const clock = createFakeClock();
  const budget = createBudget(clock);
  const venue = { told: first, asked: 0 };
  const limits = createRequestLimits({
    ...{ budget, clock },
    ask: async () => {
      venue.asked += 1;
      return venue.told;
    },
  });
  const leave = limits.follow(USER);
  const send = async (lane: 'open' | 'close', legs = 1) => {
    const granted = await budget.take(lane, limits.costOf(lane, USER, legs), clock.now());
    if (granted.granted) limits.sent(lane, USER, legs);
    return granted.granted;
  };
  const sendMany = async (lane: 'open' | 'close', most: number) => {
    let count = 0;
    while (count < most && (await send(lane))) count += 1;
    return count;
  };
  return { clock, budget, venue, limits, leave, send, sendMany };
}

describe('requests that Hyperliquid allows an account', () => {
  it('are spent by what opens down to the last hundred; what closes goes on, also below none', async () => {
    const { clock, sendMany, send } = desk({ used: 9_850, cap: 10_000 });
    await clock.advance(0);
    expect(await sendMany('open', 500)).to.equal(50);
    expect(await sendMany('close', 200)).to.equal(200);
    expect(await send('open')).to.equal(false);
  });

  it('are asked for when they run out, but not at every refusal', async () => {
    const { clock, venue, limits, send } = desk({ used: 10_000, cap: 10_000 });
    await clock.advance(0);
    for (let refused = 0; refused < 5; refused += 1) limits.lacking(USER);
    expect(venue.asked).to.equal(1);
    await clock.advance(10_000);
    venue.told = { used: 10_000, cap: 11_000 };
    for (let refused = 0; refused < 5; refused += 1) limits.lacking(USER);
    await clock.advance(0);
    expect([venue.asked, await send('open')]).to.deep.equal([2, true]);
  });

  it('are forgotten with the account, also where the answer comes later', async () => {
    const { clock, budget, leave } = desk({ used: 10_000, cap: 10_000 });
    leave();
    await clock.advance(0);
    expect(budget.level(`requests ${USER}`)).to.equal(null);
    expect(clock.pending()).to.equal(0);
  });
});
