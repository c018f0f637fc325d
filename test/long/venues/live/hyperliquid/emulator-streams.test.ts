import { expect } from 'chai';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { until } from '../../../../support/until.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { Listener, Trader } from '../../../../support/venues/hyperliquid/trader.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const MASTER = '0x00000000000000000000000000000000000000aa';

describe('emulated Hyperliquid: streams', () => {
  const clock = createFakeClock();
  let venue: Emulator;
  let trader: Trader;
  let listener: Listener;

  beforeEach(async () => {
    venue = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }], pulseMs: 0 });
    trader = new Trader(venue.url, KEY, clock);
    venue.script.addAgent(MASTER, trader.address);
    listener = await Listener.open(venue.wsUrl);
  });
  afterEach(async () => {
    listener.close();
    await venue.close();
  });

  const count = (channel: string, most: number) =>
    until(clock, `${most} messages of ${channel}`, () => listener.of(channel).length >= most, 3_000);

  it('answers pings, and closes the socket of who says nothing', async () => {
    listener.send({ method: 'ping' });
    await until(clock, 'a pong', () => listener.messages.some(({ channel }) => channel === 'pong'), 3_000);
    const strict = await startEmulator({ clock, idleMs: 100 });
    const mute = await Listener.open(strict.wsUrl);
    await until(clock, 'the socket is closed', () => mute.closed, 3_000);
    await strict.close();
  });

  it('complains of what it cannot take', async () => {
    const mids = { type: 'allMids' };
    await listener.subscribe(mids);
    listener.send({ method: 'subscribe', subscription: mids });
    listener.send({ method: 'subscribe', subscription: { type: 'bbo', coin: 'NONE' } });
    listener.send({ method: 'unsubscribe', subscription: { type: 'bbo', coin: 'ETH' } });
    listener.send('no JSON');
    await count('error', 4);
    const [twice, unknown, never, unreadable] = listener.of('error');
    expect(twice).to.equal('Already subscribed: {"type":"allMids"}');
    expect(unknown).to.match(/^Invalid subscription/);
    expect(never).to.match(/^Already unsubscribed/);
    expect(unreadable).to.match(/^Error parsing JSON/);
    listener.send({ method: 'unsubscribe', subscription: mids });
    await count('subscriptionResponse', 2);
    const heard = listener.of('allMids').length;
    venue.script.setMark('ETH', '4100');
    listener.send({ method: 'ping' });
    await until(clock, 'a pong', () => listener.messages.some(({ channel }) => channel === 'pong'), 3_000);
    expect(listener.of('allMids')).to.have.length(heard);
  });

  it('tracks ten users and no more', async () => {
    const user = (n: number) => ({ type: 'userFills', user: `0x${String(n).padStart(40, '0')}` });
    for (let n = 0; n < 10; n += 1) await listener.subscribe(user(n));
    await listener.subscribe({ ...user(3), type: 'orderUpdates' });
    listener.send({ method: 'subscribe', subscription: user(10) });
    await count('error', 1);
    expect(listener.of('error')).to.deep.equal(['Cannot track more than 10 total users.']);
  });
});
