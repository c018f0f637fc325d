/**
 * The emulated Lighter in a storm: a standard account's limits and delay, and a sequencer that refuses, drops and forgets
 * what its API has taken.
 */
import Big from 'big.js';
import { launchEmulator, type RemoteEmulator } from '../../support/venues/lighter/emulator.ts';
import type { Fault } from '../../support/venues/lighter/faults.ts';
import type { TrueState } from '../../support/venues/lighter/script.ts';
import { DEFAULT_MARKETS } from '../../support/venues/lighter/state/markets.ts';
import type { SequencerRefusal } from '../../support/venues/lighter/state/sequencer.ts';
import { makeKey } from '../../support/venues/lighter/trader.ts';
import type { StreamFaults } from '../../support/venues/lighter/ws/hub.ts';
import { commonReading, EmulatedExchange, type ExchangeAccount, lostAnswers } from './emulated-exchange.ts';
import type { VenueReading } from './storm-audit.ts';

const FIRST_ACCOUNT = 4_711;
const KEY_INDEX = 7;
/** Limit of a standard account, for requests and for transactions each. */
const PER_MINUTE = 60;
/** By which the venue delays a standard account's orders. */
const EXECUTED_AFTER_MS = 250;
const STREAMS_WRONG_MS = 8_000;

const FAULTS: readonly Fault[] = [
  ...lostAnswers('createOrder'),
  { on: 'accountOrders', do: 'status', code: 503 },
  { on: 'accountOrders', do: 'answer', json: { code: 200, orders: [] } },
  { on: 'trades', do: 'status', code: 503 },
  { on: 'nextNonce', do: 'status', code: 503 },
  { on: 'account', do: 'delay', beforeMs: 3_000 },
  { on: '*', do: 'status', code: 429 },
];
const SEQUENCER: readonly SequencerRefusal[] = [
  {},
  { consumesNonce: false },
  { orderStatus: 'canceled-margin-not-allowed' },
  { kind: 'createOrder', silently: true },
  { times: 3 },
];
const STREAMS: readonly StreamFaults[] = [
  { silent: ['*'] },
  { silent: ['account_all_trades', 'account_all_orders'] },
  { delayMs: 2_000 },
  { twice: true },
  { swapped: true },
  { emptySnapshots: true },
  { brokenSnapshots: true },
  { staleSnapshots: true },
];

export class LighterInStorm extends EmulatedExchange<RemoteEmulator> {
  readonly connector = 'lighter';
  readonly #accounts: number[] = [];
  #streamsWrongUntil: number | null = null;

  protected launchEmulator() {
    return launchEmulator({ pulseMs: 500 });
  }

  protected sizeDecimals(ticker: string): number {
    return marketOf(ticker)?.sizeDecimals ?? 0;
  }

  protected priceText(ticker: string, price: number): string {
    return price.toFixed(marketOf(ticker)?.priceDecimals ?? 0);
  }

  override async start(): Promise<void> {
    await this.launch();
    const { script } = this;
    await script.setRequestsPerMinute(PER_MINUTE);
    await script.setSendTxPerMinute(PER_MINUTE);
    await script.setExecutionDelay(EXECUTED_AFTER_MS);
    await script.setReduceOnly(this.random.pick(['vanishes', 'is cancelled', 'is refused']));
  }

  async account(): Promise<ExchangeAccount> {
    const index = FIRST_ACCOUNT + this.#accounts.length;
    const key = makeKey(`storm ${index}`);
    const l1Address = `0x${index.toString(16).padStart(40, 'c')}`;
    const { script } = this;
    // The second one is a paid account: fees, and the same limits, which belong to the machine.
    const tier = this.#accounts.length === 0 ? 'standard' : 'premium';
    await script.addAccount({
      ...{ index, l1Address, collateral: '1000000', keys: { [KEY_INDEX]: key.publicKey }, tier },
    });
    this.#accounts.push(index);
    return {
      credentials: { accountIndex: index, apiKeyIndex: KEY_INDEX, apiPrivateKey: key.privateKey },
      tradeElsewhere: (ticker, side, usd) => this.tradeElsewhere(index, ticker, side, usd),
      look: async () => readingOf(index, await script.state(index)),
    };
  }

  override async movePrice(ticker: string, factor: number): Promise<void> {
    await super.movePrice(ticker, factor);
    if (this.#streamsWrongUntil !== null && Date.now() > this.#streamsWrongUntil) await this.calm();
  }

  async refuseLeg(): Promise<void> {
    await this.script.refuseInSequencer({ kind: 'createOrder' });
  }

  async fault(): Promise<void> {
    const { script, random } = this;
    const account = random.pick(this.#accounts);
    const chance = random.uniform();
    if (chance < 0.5) await script.fault(random.pick(FAULTS));
    else if (chance < 0.7) await script.refuseInSequencer(random.pick(SEQUENCER));
    else if (chance < 0.8) {
      await script.streamFaults(random.pick(STREAMS));
      this.#streamsWrongUntil = Date.now() + STREAMS_WRONG_MS;
      if (random.uniform() < 0.5) await script.cutStreams();
    } else if (chance < 0.85) await script.repeatTrades(account, 5);
    else if (chance < 0.9) await script.setJudge(random.pick(['api', 'sequencer']));
    else if (chance < 0.94) await script.takeNonce(account, KEY_INDEX);
    else if (chance < 0.97) await script.settleFunding();
    else if (chance < 0.985) await script.deposit(account, random.between(1, 500).toFixed(6));
    else await script.withdraw(account, random.between(1, 500).toFixed(6));
  }

  override async calm(): Promise<void> {
    if (this.#streamsWrongUntil === null) return;
    this.#streamsWrongUntil = null;
    await this.script.streamFaults({});
  }

  override async cutStreams(): Promise<void> {
    const { script } = this;
    await (this.random.uniform() < 0.5 ? script.cutStreams() : script.cutStreams(1012));
  }
}

const marketOf = (ticker: string) => DEFAULT_MARKETS.find(({ symbol }) => symbol === ticker);

function readingOf(account: number, state: TrueState): VenueReading {
  const isolated = state.positions.reduce((sum, { allocated }) => sum.plus(allocated), new Big(0));
  return {
    ...commonReading(state),
    fills: state.trades.map((trade) => {
      const isBuy = trade.bid_account_id === account;
      const isMaker = trade.is_maker_ask !== isBuy;
      const { maker_fee = 0, taker_fee = 0 } = trade as { maker_fee?: number; taker_fee?: number };
      const millionths = isMaker ? maker_fee : taker_fee;
      const fee = new Big(trade.size).times(trade.price).times(millionths).div(1_000_000).round(6);
      return {
        ...{ tradeId: trade.trade_id_str, symbol: `${nameOf(trade.market_id)}-PERP` },
        ...{ side: isBuy ? 'BUY' : 'SELL', quantity: trade.size, price: trade.price, fee: fee.toFixed() },
      };
    }),
    balance: new Big(state.collateral).plus(isolated).toFixed(),
    deposits: new Big(state.deposits).minus(state.withdrawals).toFixed(),
  };
}

function nameOf(index: number): string {
  return DEFAULT_MARKETS.find((market) => market.index === index)?.symbol ?? String(index);
}
