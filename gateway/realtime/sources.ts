/** Dependencies of the realtime hub on the rest of the gateway; the composition root passes them in. */
import type { Principal } from '../domain/model.ts';
import type { Unsubscribe } from '../engine/ports/system.ts';

export type Credential =
  | { readonly token: string }
  | { readonly apiKey: string }
  | { readonly ticket: string };

export type CredentialCheck =
  | { readonly ok: true; readonly principal: Principal }
  | { readonly ok: false; readonly message: string };

export type Topic = 'prices' | 'funding' | 'markets';

/** Latest market data as JSON text; `market/` implements it. */
export interface MarketFeed {
  has(connector: string): boolean;
  /** All rows as the text of a JSON array. */
  rowsJson(topic: Topic, connector: string): string;
  /** The rows with these ids as the text of a JSON array. */
  rowsJsonOf(topic: Topic, connector: string, ids: Iterable<string>): string;
  connectors(): readonly { readonly id: string }[];
  onTick(
    listener: (tick: {
      readonly connector: string;
      readonly quotes: readonly { readonly id: string }[];
      readonly funding: readonly { readonly id: string }[];
      readonly stats: readonly { readonly id: string }[];
    }) => void,
  ): Unsubscribe;
  onInstruments(
    listener: (change: {
      readonly connector: string;
      readonly changed: readonly { readonly after: { readonly id: string } }[];
    }) => void,
  ): Unsubscribe;
  onStatus(listener: (connector: string) => void): Unsubscribe;
}
