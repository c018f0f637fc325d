/** Reads of deliveries outside the gateway. Written as a part of a unit of work. The adapter is store/. */
import type { Delivery, DeliveryStatus, Destination } from '../../domain/delivery.ts';
import type { Page, PageRequest } from './pages.ts';

export interface DeliveryStore {
  /** All users', oldest first. */
  destinations(): Promise<readonly Destination[]>;
  /** PENDING and RETRYING, oldest first. */
  waitingDeliveries(): Promise<readonly Delivery[]>;
  delivery(destinationId: string, id: string): Promise<Delivery | null>;
  /** Newest first. */
  deliveries(
    filter: { readonly destinationId: string; readonly statuses?: readonly DeliveryStatus[] },
    page: PageRequest,
  ): Promise<Page<Delivery>>;
}
