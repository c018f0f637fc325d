/** Order costs on a live account: its venue's own fee rates (lowest tier until it has told them) and the margin. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { planReverse } from '../../gateway/contract/position-plans.ts';
import { openTrade } from '../../gateway/contract/positions.ts';
import { callerWith } from '../support/agents.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { type LiveLeg, liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, emulated: fees and margin', () => {
  const live = liveGatewayForSuite();

  const quoted = async (more: string): Promise<string> => {
    const { status, json, text } = await live.ask('GET', `/fee?connector=hyperliquid&notional=1000${more}`);
    expect(status, text).to.equal(200);
    return json.totalFee;
  };

  it('are the account’s own in quotes, dry runs and fills, and the venue’s for everybody else', async () => {
    live.emulator.script.fault({
      on: 'userFees',
      do: 'answer',
      json: { userCrossRate: '0.00032', userAddRate: '0.00008' },
      times: null,
    });
    const bot = await live.account();
    bot.script.setFees(bot.address, '0.00032', '0.00008');
    await live.until(
      'its rates are known',
      async () => (await quoted(`&tradeAccountId=${bot.id}`)) === '0.32',
    );
    expect(await quoted('')).to.equal('0.45');

    const planned = await bot.tryOpen([['BTC', 'BUY', '200']], { dryRun: true });
    expect(planned.status, planned.text).to.equal(200);
    const execution = await bot.open([['BTC', 'BUY', '200']]);
    expect(execution.status).to.equal('COMPLETED');
    const [fill] = await bot.fills();
    expect(Number(fill?.fee)).to.be.closeTo(Number(fill?.notional) * 0.00032, 0.00001);
    // The plan counts at the limit, which is at most the slippage away.
    expect(Number((planned.json.plan ?? planned.json).totalFee)).to.be.within(200 * 0.00032, 202.1 * 0.00032);
  });

  it('margin is what the venue sets aside: at its own leverage of what is held, at the setting of anything else', async () => {
    const bot = await live.account();
    const free = () => Number(bot.script.state(bot.address).free);
    const dryRun = async (legs: readonly LiveLeg[]) =>
      openTrade.success[200].parse((await bot.tryOpen(legs, { dryRun: true })).json).plan;
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '400'],
      ['ETH', 'SELL', '400'],
    ]);
    // Nobody has set it here: the venue's own stands, 20× or the instrument's maximum, and the setting is min(5, maximum).
    const more: readonly LiveLeg[] = [
      ['BTC', 'BUY', '200'],
      ['ETH', 'SELL', '200'],
    ];
    const mixed = await dryRun([
      ['BTC', 'BUY', '200'],
      ['SOL', 'SELL', '200'],
    ]);
    expect(mixed.legs.map(({ leverage }) => leverage)).to.deep.equal([20, 5]);
    expect(Number(mixed.marginRequired)).to.be.closeTo(200 / 20 + 200 / 5, 1);

    const planned = await dryRun(more);
    const before = free();
    expect((await bot.open(more)).status).to.equal('COMPLETED');
    const taken = before - free();
    expect(taken).to.be.closeTo(20, 2);
    expect(Number(planned.marginRequired) + Number(planned.totalFee)).to.be.closeTo(taken, 2);

    // Closing for a reversal frees the margin that the venue had reserved for the position.
    const { json } = await bot.ask('POST', `/positions/${positionId}/reverse/plan`, {});
    const { open } = planReverse.success[200].parse(json);
    expect(Number(open.freeMargin)).to.be.closeTo(free() + 1200 / 20, 3);
    expect(Number(open.marginRequired)).to.be.closeTo(1200 / 20, 2);
    expect(open.problems).to.deep.equal([]);
  });

  it('a position and an approval say the leverage that the venue keeps of what is held', async () => {
    const bot = await live.account();
    const arming = `/trade-accounts/${bot.id}/arming`;
    const { alias } = (await bot.ask('GET', `/trade-accounts/${bot.id}`)).json;
    const terms = { alias, perOrderUsd: '1000', totalUsd: '5000', allow: { apiKeys: true } };
    await bot.expect('PUT', arming, terms);
    const { positionId } = await bot.open([['BTC', 'BUY', '400']]);
    const { legs, marginUsed, grossNotional } = (await bot.ask('GET', `/positions/${positionId}`)).json;
    expect(legs.map(({ leverage }: Json) => leverage)).to.deep.equal([20]);
    expect(Number(marginUsed)).to.be.closeTo(Number(grossNotional) / 20, 0.01);

    const mandate = { ...smallMandate(bot.id), accounts: [bot.id] };
    const approval = { ...mandate.approval, when: 'always', aboveUsd: null };
    const keyUpTo = async (maxLeverage: number): Promise<string> => {
      const made = await bot.expect(
        'POST',
        '/api-keys',
        {
          label: `up to ${maxLeverage}`,
          scope: 'read_write',
          mandate: { ...mandate, approval, maxLeverage },
        },
        201,
      );
      return made.key;
    };
    const key = callerWith(live.gateway, { 'x-api-key': await keyUpTo(20) }, bot.id);
    const body = {
      type: 'MARKET',
      legs: ['BTC', 'SOL'].map((coin) => ({
        symbol: `${coin}-PERP`,
        side: 'BUY',
        mode: 'USD',
        amount: '20',
      })),
    };
    const waits = await key.call('POST', '/trade/open', body);
    expect(waits.json.details?.reason, waits.text).to.equal('APPROVAL');
    const [asked] = (await bot.ask('GET', '/approvals')).json.approvals;
    expect(asked.plan.legs.map(({ symbol, leverage }: Json) => [symbol, leverage])).to.deep.equal([
      ['BTC-PERP', 20],
      ['SOL-PERP', 5],
    ]);
    // One that may hold at 5× at most is refused, by a preview and by what it asks for.
    const small = await keyUpTo(5);
    const refused = await callerWith(live.gateway, { 'x-api-key': small }, bot.id).call(
      'POST',
      '/trade/open',
      body,
    );
    expect(refused.json.errorCode, refused.text).to.equal('AGENT_LIMIT');
    expect(refused.json.details.limits).to.deep.include({
      ...{ limit: 'maxLeverage', allowed: '5', used: null, asked: '20' },
    });
    const client = await newClient(live.gateway.url, { 'x-api-key': small });
    const { data, text } = await callTool(client, 'preview_basket', {
      ...{ account: bot.id, long: ['BTC-PERP'], long_usd: '20', style: 'now' },
    });
    await client.close();
    expect(data.verdict, text).to.equal('REFUSED');
    expect(text).to.include('maxLeverage');
  });

  it('of an account that is not there, or elsewhere, are refused', async () => {
    await live.expect(
      'GET',
      `/fee?connector=hyperliquid&notional=1&tradeAccountId=${randomUUID()}`,
      undefined,
      404,
    );
    const { json } = await live.ask('GET', '/trade-accounts');
    const elsewhere = json.tradeAccounts.find(({ mode }: { mode: string }) => mode === 'PAPER');
    await live.expect(
      'GET',
      `/fee?connector=hyperliquid&notional=1&tradeAccountId=${elsewhere.id}`,
      undefined,
      404,
    );
  });
});
