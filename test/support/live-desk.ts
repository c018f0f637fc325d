/** A whole gateway with a live venue that executes at the marks, and its user's account there: session, API key, agents. */
import { ok } from '../../gateway/domain/result.ts';
import type { Venue } from '../../gateway/engine/ports/venue.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import type { VenuePlug } from '../../gateway/venues/venue-plug.ts';
import { type Agent, type Caller, callerWith, connectAgent, signedIn } from './agents.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { TestAnswer } from './gateway-client.ts';
import { createMarketVenue, type MarketVenue, perp } from './market-venue.ts';
import { paperAlone } from './paper-alone.ts';
import { createScriptedVenue, type ScriptedVenue } from './scripted-venue.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type Trader, trader, traderOn } from './trader.ts';

const CONNECTOR = 'scripted';
const TESTNET_CONNECTOR = 'scripted-testnet';
export const ALIAS = 'Real money';
export const IDENTIFIER = 'desk-7';
const SYMBOLS = ['AAA', 'BBB', 'CCC'];

interface LiveDeskOptions {
  readonly testnet?: boolean;
  /** null: the machine's clock, for browser suites. */
  readonly clock?: null;
}

export class LiveDesk {
  readonly dataDir: string;
  /** With the user's API key. */
  bot!: Trader;
  user!: Caller;
  gateway!: TestGateway;
  venue!: ScriptedVenue;
  paperAccountId = '';
  /** Account on the venue's test network, if the desk has one. */
  testnetAccountId = '';
  testnetVenue!: ScriptedVenue;
  /** The venue's name of the account whose credentials are stored next. */
  identifier = IDENTIFIER;
  readonly #marks = new Map(SYMBOLS.map((symbol) => [`${symbol}-PERP`, '100']));
  readonly #hasTestnet: boolean;
  readonly #clock: FakeClock | null;
  #markets: readonly MarketVenue[] = [];

  private constructor(dataDir: string, options: LiveDeskOptions = {}) {
    this.dataDir = dataDir;
    this.#hasTestnet = options.testnet ?? false;
    this.#clock = options.clock === null ? null : createFakeClock();
  }

  /** The first start makes the user and the account. */
  async start(): Promise<void> {
    const isFirst = this.paperAccountId === '';
    const clock = this.#clock ?? systemClock;
    this.venue = createScriptedVenue(clock);
    this.testnetVenue = createScriptedVenue(clock, TESTNET_CONNECTOR);
    const connectors = this.#hasTestnet ? [CONNECTOR, TESTNET_CONNECTOR] : [CONNECTOR];
    this.#markets = connectors.map((id) => {
      const instruments = SYMBOLS.map((symbol) => perp(id, symbol));
      return createMarketVenue({ id, clock, instruments, price: '100' });
    });
    const plug: VenuePlug = {
      connectors,
      settings: {},
      sources: [],
      load: async () => undefined,
      create: async () => this.#markets.map((market) => this.#live(market)),
    };
    this.gateway = await startTestGateway({
      dataDir: this.dataDir,
      clock: this.#clock,
      settings: { allowFileVault: true },
      overrides: { venues: [paperAlone, plug] },
    });
    this.bot = isFirst ? await this.#connect() : traderOn(this.gateway, this.bot);
    this.user = signedIn(this.gateway, this.bot);
    this.move({});
  }

  static async open(options?: LiveDeskOptions): Promise<LiveDesk> {
    const desk = new LiveDesk(await temporaryFolder(), options);
    await desk.start();
    return desk;
  }

  async close(): Promise<void> {
    await this.gateway.close();
  }

  async restart(): Promise<void> {
    await this.gateway.close();
    // The ids of one run are in order, those of two runs in one millisecond are not.
    await this.#clock?.advance(1);
    await this.start();
  }

  agent(): Promise<Agent> {
    return connectAgent(this.gateway, this.bot);
  }

  /** Moves marks; without any, tells the present ones again, so that none is too old to trade on. */
  move(marks: Readonly<Record<string, string>>): void {
    for (const [symbol, mark] of Object.entries(marks)) this.#marks.set(symbol, mark);
    const all = Object.fromEntries(this.#marks);
    for (const venue of [this.venue, this.testnetVenue]) venue.setMarks(all);
    for (const market of this.#markets) market.move(all);
  }

  arm(over: Readonly<Record<string, unknown>> = {}): Promise<TestAnswer> {
    const body = { alias: ALIAS, perOrderUsd: '100', totalUsd: '500', ...over };
    return this.user.call('PUT', this.armingPath, body);
  }

  get armingPath(): string {
    return `/trade-accounts/${this.bot.accountId}/arming`;
  }

  async #connect(): Promise<Trader> {
    const on = await trader(this.gateway);
    this.paperAccountId = on.accountId;
    const headers = { authorization: `Bearer ${on.accessToken}` };
    const caller = callerWith(this.gateway, headers, on.accountId);
    const connect = async (alias: string, connector: string): Promise<string> => {
      const body = { alias, connector, credentials: { apiSecret: 'x' } };
      return (await caller.expect('POST', '/trade-accounts', body, 201)).id;
    };
    if (this.#hasTestnet) this.testnetAccountId = await connect('Rehearsal', TESTNET_CONNECTOR);
    return traderOn(this.gateway, { ...on, accountId: await connect(ALIAS, CONNECTOR) });
  }

  #live(market: MarketVenue): Venue {
    const { instruments, marketStream, status, onStatus, start, stop, info } = market;
    const venue = info.id === CONNECTOR ? this.venue : this.testnetVenue;
    return {
      ...venue,
      ...{ instruments, marketStream, status, onStatus, start, stop },
      info: {
        ...venue.info,
        mode: 'LIVE',
        networks: info.id === CONNECTOR ? ['mainnet'] : ['testnet'],
        credentials: [
          { name: 'apiSecret', label: 'Secret', kind: 'text', secret: true, required: true, hint: 'There' },
        ],
      },
      checkCredentials: async () =>
        ok({ exchangeIdentifier: this.identifier, expiresAt: null, warnings: [] }),
      openAccount: async () => ok(undefined),
    };
  }
}
