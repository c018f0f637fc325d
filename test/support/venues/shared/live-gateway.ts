/** The composed gateway with a user of live accounts, at an emulated venue of its own. */
import type { TestGateway } from '../../gateway.ts';
import { openForEachTest, openForSuite } from '../../open-for-tests.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { LiveAccountBase, LiveUser } from './live-account.ts';
import type { AnyEmulator } from './start-emulator.ts';
import type { AccountName } from './venue-script.ts';

export abstract class LiveGatewayBase<E extends AnyEmulator> extends LiveUser {
  readonly emulator: E;

  /** @param connector of its accounts */
  protected constructor(emulator: E, gateway: TestGateway, token: string, connector: string) {
    super(gateway, token, connector);
    this.emulator = emulator;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.emulator.close();
  }
}

type State<E extends AnyEmulator> = ReturnType<E['script']['state']>;

/** An account at the emulated venue. */
export class ScriptedAccount<E extends AnyEmulator> extends LiveAccountBase {
  readonly #live: LiveGatewayBase<E>;
  readonly #name: AccountName;

  /** @param name the venue's, of the account */
  constructor(live: LiveGatewayBase<E>, id: string, name: AccountName) {
    super(live, id);
    this.#live = live;
    this.#name = name;
  }

  get script(): E['script'] {
    return this.#live.emulator.script;
  }

  /** Signed base units at the venue, by its symbol. */
  held(): Record<string, string> {
    const { positions } = this.script.state(this.#name);
    return Object.fromEntries(positions.map(({ symbol, size }) => [symbol, size]));
  }

  /** Client ids of its orders at the venue, each as often as the venue saw it. */
  orderIds(): readonly State<E>['orders'][number]['client'][] {
    return this.script.state(this.#name).orders.map(({ client }) => client);
  }
}

type Closing = LiveUser & { close(): Promise<void> };
type Start<Live> = (dataDir: string) => Promise<Live>;

const open = async <Live>(start: Start<Live>) => start(await temporaryFolder());

/** One gateway for all tests of a suite. Call it in `describe`. */
export const gatewayForSuite = <Live extends Closing>(start: Start<Live>): Live =>
  openForSuite(() => open(start));

/** A new gateway for each test of a suite. Call it in `describe`. */
export const gatewayForEachTest = <Live extends Closing>(start: Start<Live>): Live =>
  openForEachTest(() => open(start));
