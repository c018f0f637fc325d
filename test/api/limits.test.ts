import { expect } from 'chai';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { traderForSuite, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const LEGS = [usd('BTC', 'BUY', '1000')];
const NEVER = '99000000';
const TRIGGER = {
  legs: LEGS,
  condition: { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: NEVER },
};
const LADDER = {
  legs: LEGS,
  metric: 'PRICE',
  direction: 'MORE_THAN',
  start: '90000000',
  end: NEVER,
  levels: 2,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
};

describe('limits of the service', () => {
  const clock = createFakeClock();
  const gateway = gatewayForSuite({ clock });
  const bot = traderForSuite(gateway);

  const get = (path: string) => bot.call('GET', path);

  /** 400 on exactly this field. */
  function expectRejected(answer: TestAnswer, path: string, about: string): void {
    expect(answer.status, `${about}: ${answer.text.slice(0, 200)}`).to.equal(400);
    expect(answer.json.errorCode, about).to.equal('VALIDATION_ERROR');
    expect(answer.json.message, about).to.equal('Validation error');
    const paths = answer.json.details.map((detail: Json) => detail.path);
    expect(paths, about).to.include(path);
  }

  async function checkLimit(path: string, maximum: number): Promise<void> {
    for (const limit of ['0', '-1', '1.5', 'ten', '', '1e1', String(maximum + 1), '99999999'])
      expectRejected(await get(`${path}?limit=${limit}`), 'limit', `${path}?limit=${limit}`);
    for (const limit of [1, maximum]) {
      const answer = await get(`${path}?limit=${limit}`);
      expect(answer.status, `${path}?limit=${limit}: ${answer.text}`).to.equal(200);
    }
  }

  /** Needs more rows than `count`. */
  async function checkDefault(path: string, rows: string, count: number): Promise<void> {
    const answer = await get(path);
    expect(answer.json[rows], path).to.have.length(count);
    expect(answer.json.nextCursor, path).to.be.a('string');
  }

  describe('limit', () => {
    before(async () => {
      const instruments = (await get('/instruments?connector=paper&scope=tradable')).json.instruments;
      const symbols: string[] = instruments.slice(0, 21).map(({ symbol }: Json) => symbol);
      expect(symbols).to.have.length(21);
      for (const symbol of symbols) {
        const { status, error } = await bot.open([usd(symbol, 'BUY', '60')]);
        expect(status, error).to.equal('COMPLETED');
      }
    });

    for (const resource of ['executions', 'fills', 'positions', 'ladders']) {
      it(`of GET /${resource}: integer > 0, maximum 2000, default 20`, async () => {
        await checkLimit(`/${resource}`, 2000);
        if (resource === 'ladders')
          for (let made = 0; made < 21; made += 1)
            expect((await bot.call('POST', '/ladders', LADDER)).status).to.equal(200);
        await checkDefault(`/${resource}`, resource, 20);
      });
    }

    it('of GET /positions/closed: integer > 0, maximum 200, default 20', async () => {
      await checkLimit('/positions/closed', 200);
      for (const { id } of (await get('/positions?status=OPEN&limit=2000')).json.positions) {
        expect((await bot.execute(`/positions/${id}/close`, { type: 'MARKET' })).status).to.equal(
          'COMPLETED',
        );
      }
      await checkDefault('/positions/closed', 'positions', 20);
    });

    it('of GET /notifications: integer > 0, maximum 100, default 100', async () => {
      await checkLimit('/notifications', 100);
      // Each trigger that expires is a notification.
      for (let made = 0; made < 101; made += 1) {
        const expiresAt = new Date(clock.now() + 1_000).toISOString();
        const { status, text } = await bot.call('POST', '/triggers/open', { ...TRIGGER, expiresAt });
        expect(status, text).to.equal(200);
      }
      const expired = async () => (await get('/triggers?status=EXPIRED&limit=200')).json.triggers.length;
      await until(clock, 'all of them have expired', async () => (await expired()) === 101);
      expect((await get('/notifications')).json.notifications).to.have.length(100);
      expect((await get('/notifications?limit=99')).json.notifications).to.have.length(99);
    });
  });

  it('rate limiting on all routes: none, no 429 and no Retry-After', async () => {
    const asked = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        index % 3 === 0
          ? get('/positions/lite')
          : gateway.request('GET', index % 3 === 1 ? '/trade-accounts' : '/prices?connector=paper', {
              headers: { 'x-api-key': 'tdm_unknown' },
            }),
      ),
    );
    expect(new Set(asked.map(({ status }) => status))).to.deep.equal(new Set([200, 401]));
    for (const { headers } of asked) expect(headers.has('retry-after')).to.equal(false);
  });
});
