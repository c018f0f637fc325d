/**
 * Live state of the running engine, in parts. Rebuilt from the store at start; changed only after the commit of the
 * same change, so it is never ahead of the disk.
 */
import type { Decimal } from '../../domain/decimal.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { Store } from '../ports/store.ts';
import { BasketClaims } from './basket-claims.ts';
import { Flights } from './flights.ts';
import { Gaps } from './gaps.ts';
import { LeverageSettings } from './leverage-settings.ts';
import { LiveOrders } from './live-orders.ts';
import { OpenPositions } from './open-positions.ts';
import { UnassignedLots } from './unassigned-lots.ts';
import { UnderWay } from './under-way.ts';

export class LiveState {
  readonly positions = new OpenPositions();
  readonly claims = new BasketClaims();
  readonly underWay = new UnderWay();
  readonly liveOrders = new LiveOrders();
  readonly leverage = new LeverageSettings();
  /** Execution id → the brackets and rebalancing that an unfinished execution will put on its position. */
  readonly setups = new Map<string, PositionSetup>();
  /**
   * Position id → net exposure, USD, that programs with a mandate have added within lot rounding. A single such trade
   * needs no approval; a hundred of them once removed a hedge.
   */
  readonly peeled = new Map<string, Decimal>();
  readonly unassigned = new UnassignedLots();
  readonly flights = new Flights();
  readonly gaps = new Gaps();
  /**
   * Live accounts whose venue history has begun. Their earlier holdings are known and belong to no basket. No other
   * account opens anything: an order with an unknown outcome could not be settled there, because its account counts as
   * traded while it is open.
   */
  readonly begun = new Set<string>();

  constructor() {
    this.claims.keepAccountsThat((tradeAccountId) => this.positions.of(tradeAccountId).length > 0);
  }

  async load(
    store: Pick<
      Store,
      'openPositions' | 'unassignedLots' | 'leverage' | 'unfinishedExecutions' | 'positionSetup'
    >,
  ): Promise<void> {
    for (const position of await store.openPositions()) this.positions.put(position);
    this.unassigned.put(await store.unassignedLots());
    for (const setting of await store.leverage()) this.leverage.put(setting);
    for (const { id } of await store.unfinishedExecutions()) {
      const setup = await store.positionSetup(id);
      if (setup !== null) this.setups.set(id, setup);
    }
  }
}
