/**
 * Interface between a venue's folder and the gateway. `registry.ts` lists all venues; add-a-venue.md says how to write
 * one.
 */
import type { z } from 'zod';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Venue } from '../engine/ports/venue.ts';
import type { SettingSource } from '../setting-source.ts';

/** Parts of the gateway that are passed to venues when they are created. */
export interface VenueHost {
  readonly dataDir: string;
  readonly store: Pick<Store, 'setting' | 'commit'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves once the gateway answers its routes: what would hold the start up waits for it. Missing: it does. */
  readonly whenServing?: Promise<void>;
}

/**
 * A plug is loaded by every command, so `connector.ts`, which exports the plug, imports nothing large: the venue's
 * program is imported by `load`.
 */
export interface VenuePlug<Shape extends Readonly<Record<string, z.ZodType>> = Record<never, z.ZodType>> {
  /** Ids of the connectors that `create` returns. */
  readonly connectors: readonly string[];
  /** Settings of the venue, each with its default, beside the gateway's: a name begins with the venue's name. */
  readonly settings: Shape;
  /** How users supply the settings (command line, environment). Settings without a source are for tests only. */
  readonly sources: readonly SettingSource<Extract<keyof Shape, string>>[];
  /** Brings the venue's program into memory. */
  load(): Promise<unknown>;
  /**
   * Makes the venues without starting them. @throws an error of one line for the person who starts the gateway
   */
  create(
    settings: { readonly [Name in keyof Shape]: z.infer<Shape[Name]> },
    host: VenueHost,
  ): Promise<readonly Venue[]>;
}
