/** What the folder of a venue gives to the gateway. `registry.ts` lists all of them; add-a-venue.md says how to write one. */
import type { z } from 'zod';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Venue } from '../engine/ports/venue.ts';
import type { SettingSource } from '../setting-source.ts';

/** What venues are made with. */
export interface VenueHost {
  readonly dataDir: string;
  readonly store: Pick<Store, 'setting' | 'commit'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Loaded by every command, so that `connector.ts`, which exports one, imports nothing large: what a venue consists of is
 * imported by `load`.
 */
export interface VenuePlug<Shape extends Readonly<Record<string, z.ZodType>> = Record<never, z.ZodType>> {
  /** Ids of its connectors, as `create` makes them. */
  readonly connectors: readonly string[];
  /** Its settings, each with its default. They stand beside those of the gateway: a name begins with the venue's. */
  readonly settings: Shape;
  /** How the settings are given. One that is left out is given by tests alone. */
  readonly sources: readonly SettingSource<Extract<keyof Shape, string>>[];
  /** Brings the venue's program into memory. */
  load(): Promise<unknown>;
  /** Venues that are not started yet. @throws one line for the person who starts the gateway */
  create(
    settings: { readonly [Name in keyof Shape]: z.infer<Shape[Name]> },
    host: VenueHost,
  ): Promise<readonly Venue[]>;
}
