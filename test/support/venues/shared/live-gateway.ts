/** The composed gateway with a user of live accounts, at an emulated venue of its own. */
import type { TestGateway } from '../../gateway.ts';
import { openForEachTest, openForSuite } from '../../open-for-tests.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { LiveUser } from './live-account.ts';

export abstract class LiveGatewayBase<Emulator extends { close(): Promise<void> }> extends LiveUser {
  readonly emulator: Emulator;

  /** @param connector of its accounts */
  protected constructor(emulator: Emulator, gateway: TestGateway, token: string, connector: string) {
    super(gateway, token, connector);
    this.emulator = emulator;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.emulator.close();
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
