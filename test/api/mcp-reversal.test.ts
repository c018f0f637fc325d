/** A reversal placed by an agent has the outcome of both its halves: the close, and the opening of the opposite. */
import { expect } from 'chai';
import type { FaultRule } from '../../gateway/venues/paper/venue/faults.ts';
import { gatewayForSuite, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { type Trader, trader, usd } from '../support/trader.ts';
import { unwrap } from '../support/unwrap.ts';

const REJECT = { kind: 'reject', reason: 'other', message: 'not today' } as const;
/** Orders 1 and 2 close, 3 and 4 open the opposite. */
const FATES: Readonly<Record<string, readonly FaultRule[]>> = {
  'both fill': [],
  'the opening is refused': [
    { match: { order: 3 }, action: REJECT },
    { match: { order: 4 }, action: REJECT },
  ],
  'one leg of the opening is refused': [{ match: { order: 4 }, action: REJECT }],
};

describe('a reversal through MCP', () => {
  const gateway = gatewayForSuite();
  let bot: Trader;
  let client: Awaited<ReturnType<typeof newClient>>;
  let users = 0;

  beforeEach(async () => {
    users += 1;
    bot = await trader(gateway, { email: `reversal${users}@example.test` });
    client = await newClient(gateway.url, { 'x-api-key': bot.key });
    // The client checks results against the output schemas that it was told.
    await client.listTools();
  });
  afterEach(async () => {
    gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
    await client.close();
  });

  const call = (tool: string, args: Record<string, unknown>) => callTool(client, tool, args);
  async function reversed(onLegFailure: string, rules: readonly FaultRule[]): Promise<ToolAnswer> {
    const { positionId } = await bot.open([usd('BTC', 'BUY', '500'), usd('ETH', 'SELL', '500')]);
    const { data } = await call('preview_change', {
      account: bot.accountId,
      position_id: positionId,
      action: 'reverse',
      on_leg_failure: onLegFailure,
    });
    gateway.gateway.paperVenue('paper').setFaults({ rules });
    const asked = { preview_id: data.preview_id, summary: data.summary, reason: 'a test' };
    return whileTimePasses(gateway.clock, call('place_order', asked));
  }
  const status = async (id: string) => (await call('get_status', { id })).data;
  const childOf = async (id: string): Promise<Json> =>
    (await bot.expect('GET', '/executions')).executions.find(({ parentId }: Json) => parentId === id);
  /** Positions of the account at the venue, as `held_now` names them. */
  const heldAtVenue = async () => {
    const account = { tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId };
    const positions = unwrap(await gateway.gateway.paperVenue('paper').positions(account));
    return positions
      .filter(({ quantity }) => quantity !== '0')
      .map(({ symbol, quantity }) => ({
        instrument: symbol,
        side: quantity.startsWith('-') ? 'SELL' : 'BUY',
        quantity_base: quantity.replace('-', ''),
      }));
  };

  for (const [name, rules] of Object.entries(FATES))
    for (const onLegFailure of ['KEEP', 'UNWIND', 'RETRY'])
      it(`${name}, ${onLegFailure}`, async () => {
        const { data, text } = await reversed(onLegFailure, rules);
        const { executions } = await bot.expect('GET', '/executions?status=ACTIVE');
        expect(executions).to.deep.equal([]);
        const isWhole = rules.length === 0;
        expect(data.outcome, text).to.equal(isWhole ? 'FILLED' : 'FAILED_PARTLY_TRADED');
        expect(data.money_moved).to.equal('yes');
        const held = await heldAtVenue();
        expect(data.held_now, text).to.have.deep.members(held);
        const isKept = rules.length === 1 && onLegFailure !== 'UNWIND';
        expect(held).to.have.length(isWhole ? 2 : isKept ? 1 : 0);
        expect(
          held.filter(({ instrument, side }) => (instrument === 'BTC-PERP') !== (side === 'SELL')),
        ).to.deep.equal([]);
        const child = await childOf(data.id);
        expect(text.includes(child.id), text).to.equal(!isWhole);
        if (!isWhole) expect(data.untrusted_text).to.include('not today');
        if (rules.length === 1 && onLegFailure === 'UNWIND') {
          expect(data.reason).to.include((await childOf(child.id)).id);
        }
        expect(await status(data.id)).to.deep.equal(data);
        const waited = await call('wait_for', { id: data.id, seconds: 1 });
        expect(waited.data).to.deep.equal({ ...data, changed: false });
        const listed = await call('list_activity', { account: bot.accountId, kind: 'executions' });
        const row = listed.data.rows.find(({ id }: Json) => id === data.id);
        expect(row.outcome, listed.text).to.equal(data.outcome);
      });

  it('is accepted, not filled, until its opening has ended', async () => {
    const { data, text } = await reversed('KEEP', [
      { match: { order: 3 }, action: { kind: 'delay', delayMs: 4_000 } },
    ]);
    expect(data, text).to.deep.include({
      outcome: 'ACCEPTED_NOT_FILLED',
      money_moved: 'yes',
      held_now: null,
    });
    expect(data.next)
      .to.include((await childOf(data.id)).id)
      .and.include('Call wait_for with this id');
    const waited = await whileTimePasses(gateway.clock, call('wait_for', { id: data.id, seconds: 30 }));
    expect(waited.data).to.deep.include({ outcome: 'FILLED', changed: true });
    expect(waited.data.held_now).to.have.deep.members(await heldAtVenue());
  });
});
