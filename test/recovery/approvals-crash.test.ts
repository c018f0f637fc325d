/**
 * A gateway that is killed while a person decides: nothing is executed that was not approved, nothing that was approved is
 * lost, and every approval has one end. `APPROVAL_KILLS` says how often.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { gatewayProcesses, type StartedGateway } from '../real-time/support/gateway-processes.ts';
import { until } from '../real-time/support/until.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader, traderOn, usd } from '../support/trader.ts';

const KILLS = Number(process.env['APPROVAL_KILLS'] ?? 2);
/** Longest time after the decisions were sent at which the process is killed. */
const SPREAD_MS = 250;
const BASKETS = ['BTC', 'ETH', 'SOL', 'AVAX'];

describe('approvals of a gateway that is killed', function () {
  this.timeout(60_000 + KILLS * 10_000);
  let dataDir = '';
  const processes = gatewayProcesses();
  let gateway: StartedGateway;
  let bot: Trader;
  let bearer: Record<string, string>;

  async function start(): Promise<void> {
    gateway = await processes.start({ dataDir });
  }

  before(async () => {
    dataDir = await temporaryFolder();
    await start();
    const user = await trader(gateway);
    bearer = { authorization: `Bearer ${user.accessToken}` };
    const mandate = smallMandate(user.accountId);
    const terms = {
      ...mandate,
      ...{
        maxOrderUsd: '1000',
        maxOpenedUsd24h: '100000',
        maxGrossUsd: '100000',
        maxPositions: 50,
        maxLeverage: null,
      },
      approval: { ...mandate.approval, when: 'always', aboveUsd: null, lifeSeconds: 600, driftBps: 1_000 },
      rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 60 },
    };
    const body = { label: 'asks', scope: 'read_write', mandate: terms };
    const made = await gateway.request('POST', '/api-keys', { headers: bearer, body });
    if (made.status !== 201) throw new Error(made.text);
    bot = traderOn(gateway, { ...user, key: made.json.key });
  });
  const asUser = (method: string, path: string, body?: unknown) =>
    gateway.request(method, path, { headers: bearer, ...(body === undefined ? {} : { body }) });

  async function everyApproval(): Promise<Json[]> {
    const all: Json[] = [];
    let cursor = '';
    do {
      const { json } = await asUser('GET', `/approvals?limit=100${cursor}`);
      all.push(...json.approvals);
      cursor = json.nextCursor === undefined ? '' : `&cursor=${json.nextCursor}`;
    } while (cursor !== '');
    return all;
  }

  it(`${KILLS} kills: nothing unapproved, nothing lost, one end each`, async () => {
    const answered = new Map<string, string>();
    for (let round = 0; round < KILLS; round += 1) {
      const asked = await Promise.all(
        BASKETS.map((symbol) =>
          // A killed execution keeps its basket busy until the venue has reported its outcome.
          until(`${symbol} is free`, async () => {
            const answer = await bot.call(
              'POST',
              '/trade/open',
              { type: 'MARKET', legs: [usd(symbol, 'BUY', '50')] },
              { 'idempotency-key': `${round} ${symbol}` },
            );
            return answer.json.details?.heldBy === undefined ? answer : null;
          }),
        ),
      );
      const ids: string[] = asked.map(({ json, text }) => {
        if (json.details?.reason !== 'APPROVAL') throw new Error(text);
        return json.details.approvalId;
      });
      const decided = ids.map(async (id, index) => {
        const { json } = await asUser('GET', `/approvals/${id}`);
        const approving = () =>
          asUser('POST', `/approvals/${id}/approve`, { planHash: json.planHash, password: PASSWORD });
        const denying = () => asUser('POST', `/approvals/${id}/deny`);
        const how = index === 0 ? [denying] : index === 1 ? [approving, denying] : [approving];
        const answers = await Promise.all(how.map((one) => one().catch(() => null)));
        for (const answer of answers) if (answer?.status === 200) answered.set(id, answer.json.status);
      });
      const all = Promise.all(decided.map((one) => one.catch(() => undefined)));
      await sleep((round * SPREAD_MS) / KILLS);
      await gateway.process.stop('SIGKILL');
      await all;
      await start();
      bot = traderOn(gateway, bot);
      // A restarted gateway asks for the password again: those that wait are denied, so that the next round has room.
      for (const { id, status } of await everyApproval())
        if (status === 'PENDING')
          answered.set(id, (await asUser('POST', `/approvals/${id}/deny`)).json.status);
    }
    const approvals = await everyApproval();
    expect(approvals).to.have.length(KILLS * BASKETS.length);
    const executions: Json[] = (await bot.call('GET', '/executions?limit=2000')).json.executions;
    const approved = approvals.filter(({ status }) => status === 'APPROVED');
    expect(executions.map(({ id }) => id).sort()).to.deep.equal(approved.map(({ madeId }) => madeId).sort());
    for (const { id, status } of approvals) {
      expect(status).to.be.oneOf(['APPROVED', 'DENIED']);
      if (answered.has(id)) expect(status, id).to.equal(answered.get(id));
    }
    const { auditEntries } = (await asUser('GET', '/audit-log?limit=200')).json;
    for (const { id, status } of approvals.slice(-10)) {
      const about = auditEntries.filter((entry: Json) => entry.subjectId === id);
      expect(about.map(({ action }: Json) => action)).to.deep.equal([
        `approval.${status.toLowerCase()}`,
        'approval.requested',
      ]);
    }
    console.log(
      `      ${approvals.length} approvals over ${KILLS} kills: ${approved.length} approved, each with its execution`,
    );
  });
});
