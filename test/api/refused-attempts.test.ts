/** Requests refused by an agent's limits: listed with the limit, counted, kept over restarts, for its user only. */
import { expect } from 'chai';
import { listRefused } from '../../gateway/contract/agents.ts';
import { connectAgent, signedIn } from '../support/agents.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, trader, traderOn } from '../support/trader.ts';

describe('refused attempts of agents', () => {
  let gateway: TestGateway;
  after(() => gateway?.close());

  it('are told with what was tried and the limit, over a restart too, and to nobody else', async () => {
    const dataDir = await temporaryFolder();
    gateway = await startTestGateway({ dataDir });
    const bot = await trader(gateway);
    const agent = await connectAgent(gateway, bot);
    const user = signedIn(gateway, bot);
    const [known] = (await user.call('GET', '/agents')).json.agents;
    await user.expect('PUT', `/agents/${known.id}/mandate`, {
      mandate: smallMandate(bot.accountId, { maxOrderUsd: '250' }),
      ifVersion: known.mandate?.version ?? 0,
    });
    const read = async (by = user) => {
      const answer = await by.call('GET', `/agents/${known.id}/refused`);
      return listRefused.success[200].parse(answer.json).refused;
    };
    expect(await read()).to.deep.equal([]);
    for (let nth = 0; nth < 3; nth += 1)
      await agent.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    await agent.call('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 2, marginMode: 'cross' });
    const [leverage, open] = await read();
    expect(open).to.deep.include({
      route: 'POST /trade/open',
      tradeAccountId: bot.accountId,
      count: 3,
      legs: PAIR.map(({ symbol, side }) => ({ symbol, side })),
      says: null,
    });
    expect(open?.limits[0]).to.include({ limit: 'maxOrderUsd', allowed: '250' });
    expect(leverage).to.deep.include({ route: 'PUT /leverage', count: 1, limits: [] });
    // An order that is invalid in itself does not count as a refusal by limits.
    await agent.call('POST', '/trade/open', { type: 'MARKET', legs: [] });
    expect(await read()).to.have.length(2);

    const other = await trader(gateway, { email: 'bob@example.test' });
    expect((await signedIn(gateway, other).call('GET', `/agents/${known.id}/refused`)).status).to.equal(404);
    expect((await agent.call('GET', `/agents/${known.id}/refused`)).status).to.equal(403);

    await gateway.restart();
    expect(await read(signedIn(gateway, traderOn(gateway, bot)))).to.have.length(2);
  });
});
