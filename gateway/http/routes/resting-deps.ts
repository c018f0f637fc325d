import type { AuditTrail } from '../../auth/audit.ts';
import type { Principal } from '../../domain/model.ts';
import type { Protection } from '../../domain/protection.ts';
import type { WaitingOrder } from '../../engine/execution/protection-when-filled.ts';
import type { Store } from '../../engine/ports/store.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { OrderServices } from '../../engine/safety/safety-service.ts';
import type { AuthorityNames } from '../present/authority.ts';
import type { PositionPresenter } from './positions.ts';

/** Dependencies of the routes of resting orders. */
export interface RestingRouteDeps {
  readonly resting: OrderServices;
  readonly store: Store;
  readonly positions: PositionPresenter;
  readonly clock: Pick<Clock, 'now'>;
  readonly names: AuthorityNames;
  readonly audit: AuditTrail;
  /** True: an agent, or a program with a mandate. */
  readonly isAgent: (principal: Principal) => boolean;
  /** Protection of the position that an order would leave if it filled at the present marks. */
  readonly protectionWhenFilled: (order: WaitingOrder) => readonly Protection[];
}
