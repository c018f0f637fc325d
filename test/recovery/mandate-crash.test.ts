/**
 * A budget holds over deaths: programs ask for more than their mandate allows while the gateway is killed at random moments,
 * on paper and on an emulated live venue. MANDATE_KILLS is the number of kills on each (default 2), CRASH_SEED repeats a run.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import { expect } from 'chai';
import type { MandateBody } from '../../gateway/contract/mandate.ts';
import { openStore } from '../../gateway/store/open-store.ts';
import { Random } from '../../gateway/venues/paper/market/random.ts';
import { type CrashVenue, crashHyperliquid } from '../real-time/support/live-crash-venues.ts';
import { type GatewayClient, PASSWORD, type TestAnswer } from '../support/gateway-client.ts';
import { buildGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { NOBODY_ASKED, smallMandate } from '../support/small-mandate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type BotCrashOptions, BotCrashRig, type BotOrder, COINS } from './support/bot-crash-rig.ts';

/** Amount added to the limit with each life, USD: less than the bots ask for. */
const STEP_USD = 260;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];

class MandateCrashRig extends BotCrashRig {
  readonly #dataDir: string;
  #version = 1;
  #limit = STEP_USD;
  #counts = { asked: 0, taken: 0, refused: 0, audited: 0, past: new Big(0), opened: new Big(0), left: 0 };

  /** @param venue null: paper, inside the gateway */
  constructor(options: BotCrashOptions, venue: CrashVenue | null) {
    super(options, venue, { count: 6, pauseMs: 30, stream: 53 });
    this.#dataDir = options.dataDir;
  }

  get figures(): string {
    const { asked, taken, refused, audited, past, opened, left } = this.#counts;
    return [
      `${this.gateway.starts} starts`,
      `${asked} orders asked for, ${taken} taken, ${refused} refused by the mandate`,
      `${opened.toFixed(2)} of ${this.#limit} USD opened in ${audited} audits, ${past.toFixed(2)} USD past the limit`,
      `${left} reservations left over`,
    ].join('; ');
  }

  protected keyRequest(): object {
    return { label: 'bot', scope: 'read_write', mandate: this.#terms() };
  }

  /** A life whose limit is a little above what was opened before, and far below what its bots ask for. */
  protected async killWhileRunning(atMostMs: number): Promise<void> {
    const { client } = await this.gateway.start();
    await this.#withinLimit(client, 'after a start');
    await this.#raise(client);
    await sleep(this.random.uniform() ** 2 * atMostMs);
    await this.gateway.kill();
  }

  /** Once everything has ended, looks for what is still reserved on disk, too. */
  protected async audit(client: GatewayClient, deadline: number): Promise<void> {
    await this.untilEnded(client, ENDED, deadline);
    await this.#withinLimit(client, 'at rest');
    await this.gateway.stop();
    await this.#onDisk();
  }

  protected nextOrder(): Promise<BotOrder> {
    const first = Math.floor(this.random.uniform() * COINS.length);
    const amount = String(20 + Math.floor(this.random.uniform() * 150));
    const legs = [
      { symbol: `${COINS[first]}-PERP`, side: 'BUY', mode: 'USD', amount },
      { symbol: `${COINS[(first + 1) % COINS.length]}-PERP`, side: 'SELL', mode: 'USD', amount },
    ];
    this.#counts.asked += 1;
    const onLegFailure = this.random.uniform() < 0.5 ? 'RETRY' : 'KEEP';
    return Promise.resolve({ path: '/trade/open', body: { type: 'MARKET', legs, onLegFailure } });
  }

  protected noteAnswer(_: BotOrder, { status, json }: TestAnswer): void {
    if (status === 202) this.#counts.taken += 1;
    if (json?.errorCode === 'AGENT_LIMIT') this.#counts.refused += 1;
  }

  #terms(): MandateBody {
    return smallMandate(this.accountId, {
      kinds: ['now', 'when'],
      maxOrderUsd: '400',
      maxOpenedUsd24h: String(this.#limit),
      maxGrossUsd: null,
      maxLeverage: null,
      maxPositions: null,
      maxResting: null,
      maxSlippage: null,
      validUntil: null,
      lossStop: null,
      // Its budget alone is to hold: whoever is refused so often would be suspended.
      runaway: { refusals: null, reopenings: null, feesUsd: null },
      approval: NOBODY_ASKED,
      rate: { perMinute: 600, perDay: 100_000, coolDownSeconds: 0 },
    });
  }

  async #raise(client: GatewayClient): Promise<void> {
    const limit = this.#limit + STEP_USD;
    this.#limit = limit;
    const changed = await client.request('PUT', `/agents/${this.keyId}/mandate`, {
      headers: this.session,
      body: { mandate: this.#terms(), ifVersion: this.#version, password: PASSWORD },
    });
    if (changed.status === 401) {
      const again = await client.request('POST', '/auth/login', {
        body: { email: 'ada@example.test', password: PASSWORD },
      });
      this.session = { authorization: `Bearer ${again.json.accessToken}` };
    }
    if (changed.status === 200) this.#version = changed.json.mandate.version;
    else if (changed.status !== 401) this.complaints.push(`raise: ${changed.status} ${changed.text}`);
    if (changed.status === 401) this.#limit -= STEP_USD;
  }

  /** Checks that the total opened by the mandate's holder is within the current limit. */
  async #withinLimit(client: GatewayClient, when: string): Promise<void> {
    const opened = (await this.list(client, 'executions')).reduce((sum: Big, { intent, orders }: Json) => {
      if (intent !== 'OPEN' && intent !== 'ADJUST') return sum;
      const filled = (orders as Json[]).filter(({ reduceOnly }) => reduceOnly !== true);
      return filled.reduce(
        (all: Big, { filledQuantity, averagePrice }: Json) =>
          all.plus(new Big(filledQuantity).mul(averagePrice ?? 0)),
        sum,
      );
    }, new Big(0));
    this.#counts.audited += 1;
    this.#counts.opened = opened;
    const past = opened.minus(this.#limit);
    if (past.lte(0)) return;
    if (past.gt(this.#counts.past)) this.#counts.past = past;
    this.complaints.push(`${when}: ${opened.toFixed(4)} USD opened, ${this.#limit} allowed`);
  }

  /** Checks the stopped gateway's file: no reservation without an execution in progress. */
  async #onDisk(): Promise<void> {
    const clock = { now: () => Date.now() };
    const store = await openStore({ file: join(this.#dataDir, 'tandem.db'), clock, logger: silentLogger });
    try {
      const { executions, waiting } = await store.reservations(0);
      const left = [
        ...executions.filter(({ finishedAt }) => finishedAt === null),
        ...waiting.filter(({ waits }) => waits),
      ];
      this.#counts.left += left.length;
      if (left.length > 0) this.complaints.push(`left over: ${JSON.stringify(left.slice(0, 2))}`);
    } finally {
      await store.close();
    }
  }
}

const KILLS = Number(process.env['MANDATE_KILLS'] ?? 2);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PER_KILL_MS = 15_000;
const SETTING_UP_MS = 180_000;

describe(`killed while mandates are used up (CRASH_SEED=${SEED})`, () => {
  before(function () {
    this.timeout(SETTING_UP_MS);
    buildGateway();
  });

  for (const [name, venue] of [
    ['paper', () => null],
    ['Hyperliquid', crashHyperliquid],
  ] as const)
    it(`on ${name} opens nothing past the limit and leaves nothing reserved in ${KILLS} kills${name === 'paper' ? '' : ' @long'}`, async function () {
      this.timeout(SETTING_UP_MS + KILLS * PER_KILL_MS);
      const random = new Random(SEED, 7);
      const rig = new MandateCrashRig({ dataDir: await temporaryFolder(), seed: SEED }, venue());
      try {
        await rig.begin();
        await rig.kill(KILLS, random, { starting: 0.15, short: 0.6, shortMs: 700, longMs: 2_500 });
      } finally {
        await rig.end();
      }
      console.log(`      ${rig.figures}`);
      expect(rig.complaints.slice(0, 20)).to.deep.equal([]);
    });
});
