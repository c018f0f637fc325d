/** An account as a trader has it after months: days behind it, baskets open, orders that wait, a program that asks. */
import { type Agent, connectAgent, signedIn } from './agents.ts';
import { consentVisitor } from './consent-visitor.ts';
import type { Json } from './json.ts';
import { oauthClient } from './oauth-client.ts';
import { seedDays } from './portfolio-history.ts';
import type { SeededGateway } from './seeded-gateway.ts';
import { smallMandate } from './small-mandate.ts';
import { type TestLeg, type Trader, usd } from './trader.ts';

export interface RichAccount {
  /** BTC against ETH, with a take-profit and a stop-loss. */
  readonly pairId: string;
  /** Waits for an answer. */
  readonly approvalId: string;
}

const LONG_SHORT = [usd('BTC', 'BUY', '6000'), usd('ETH', 'SELL', '6000')];

async function done(bot: Trader, method: string, path: string, body?: object): Promise<Json> {
  const { status, json, text } = await bot.call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json;
}

/** Fails where something is refused: a picture of half an account shows nothing. */
export async function makeRichAccount(gateway: SeededGateway, bot: Trader): Promise<RichAccount> {
  await seedDays(gateway, bot, 180);
  await closedToday(bot);
  const pairId = await openBaskets(bot);
  await leaveWaiting(bot);
  await destinations(gateway, bot);
  const agent = await mandatedAgent(gateway, bot);
  return { pairId, approvalId: await askOf(agent, bot) };
}

async function closedToday(bot: Trader): Promise<void> {
  for (const legs of [
    [usd('SOL', 'SELL', '2400'), usd('AVAX', 'BUY', '2400')],
    [usd('LINK', 'BUY', '1800'), usd('DOGE', 'SELL', '1800')],
  ]) {
    await bot.open(legs);
    const [position] = await bot.positions();
    const { execution } = await done(bot, 'POST', `/positions/${position.id}/close`, { type: 'MARKET' });
    await bot.ended(execution.id);
  }
}

async function openBaskets(bot: Trader): Promise<string> {
  await done(bot, 'PUT', '/leverage', { symbol: 'SOL-PERP', leverage: 5, marginMode: 'isolated' });
  const open = async (legs: readonly TestLeg[]): Promise<string> => (await bot.open(legs)).positionId;
  const pairId = await open(LONG_SHORT);
  await done(bot, 'PUT', `/positions/${pairId}/brackets`, {
    takeProfit: { type: 'PERCENTAGE', value: '4' },
    stopLoss: { type: 'PERCENTAGE', value: '2.5', trailing: { delta: '1' } },
  });
  const sol = await open([usd('SOL', 'BUY', '3500')]);
  await done(bot, 'PUT', `/positions/${sol}/brackets`, { stopLoss: { type: 'PERCENTAGE', value: '6' } });
  await open([
    usd('LINK', 'BUY', '3000'),
    usd('AVAX', 'BUY', '2500'),
    usd('DOGE', 'BUY', '1500'),
    usd('XRP', 'SELL', '3000'),
    usd('ADA', 'SELL', '2500'),
    usd('LTC', 'SELL', '1500'),
  ]);
  await open([usd('ARB', 'BUY', '1200'), usd('OP', 'SELL', '1200')]);
  return pairId;
}

async function leaveWaiting(bot: Trader): Promise<void> {
  const trigger = (legs: readonly TestLeg[], condition: object, over: object = {}) =>
    done(bot, 'POST', '/triggers/open', { legs, condition, ...over });
  await trigger(
    LONG_SHORT,
    { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '-4', transform: 'Z_SCORE', lookback: 240 },
    { takeProfit: { type: 'PERCENTAGE', value: '3' }, stopLoss: { type: 'PERCENTAGE', value: '2' } },
  );
  await trigger([usd('SOL', 'BUY', '1500')], {
    type: 'PRICE',
    direction: 'LESS_THAN',
    value: '90',
    symbol: 'SOL-PERP',
  });
  const paused = await trigger([usd('LINK', 'BUY', '900'), usd('XRP', 'SELL', '900')], {
    type: 'PRICE_RATIO',
    direction: 'LESS_THAN',
    value: '4',
  });
  await done(bot, 'POST', `/triggers/${paused.id}/pause`);
  await done(bot, 'POST', '/schedules', {
    legs: [usd('ETH', 'BUY', '2400'), usd('LTC', 'SELL', '2400')],
    durationSeconds: 1_800,
    intervalSeconds: 60,
  });
  await done(bot, 'POST', '/ladders', {
    legs: [usd('AVAX', 'BUY', '1500'), usd('SOL', 'SELL', '1500')],
    metric: 'PRICE_RATIO',
    direction: 'LESS_THAN',
    start: '0.122',
    end: '0.11',
    levels: 5,
    distribution: 'LINEAR',
    sizing: 'INCREASING',
  });
  await done(bot, 'POST', '/saved-baskets', {
    name: 'Majors against alts',
    legs: [
      { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
      { symbol: 'SOL-PERP', side: 'SELL', weight: 0.25 },
      { symbol: 'AVAX-PERP', side: 'SELL', weight: 0.25 },
    ],
  });
}

/** Two that hear of everything and reach nothing: no picture waits for a delivery. */
async function destinations(gateway: SeededGateway, bot: Trader): Promise<void> {
  const user = signedIn(gateway, bot);
  for (const [path, body] of [
    ['/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['execution.completed', 'execution.failed'] }],
    ['/notification-channels', { to: { service: 'NTFY', topic: 'tandem-u8f2k1' }, kinds: ['TROUBLE'] }],
  ] as const) {
    const { status, text } = await user.call('POST', path, { ...body, enabled: false });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  }
}

async function mandatedAgent(gateway: SeededGateway, bot: Trader): Promise<Agent> {
  const { approval, ...rest } = smallMandate(bot.accountId);
  const mandate = {
    ...rest,
    maxLeverage: null,
    maxPositions: 10,
    approval: { ...approval, lifeSeconds: 3_600 },
  };
  const clientId = await oauthClient(gateway).register({ client_name: 'Night watch' });
  return connectAgent(gateway, bot, consentVisitor(gateway), { clientId, consent: { mandate } });
}

/** One order that is small enough, one that is too large, one that asks. @returns the id of the approval */
async function askOf(agent: Agent, bot: Trader): Promise<string> {
  const pair = (amount: string) => [usd('ATOM', 'BUY', amount), usd('NEAR', 'SELL', amount)];
  const small = await agent.call('POST', '/trade/open', { type: 'MARKET', legs: pair('60') });
  await bot.ended(small.json.execution.id);
  await agent.call('POST', '/trade/open', { type: 'MARKET', legs: pair('4000') });
  const asked = await agent.call('POST', '/trade/open', { type: 'MARKET', legs: pair('180') });
  if (asked.json.details?.approvalId === undefined) throw new Error(asked.text);
  return asked.json.details.approvalId;
}
