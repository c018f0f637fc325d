/** Address where new versions are announced; the packager writes it into the package (build/package.mjs). */
import * as z from 'zod/mini';

const packaged = z.object({ tandem: z.object({ updateFeed: z.nullable(z.string()) }) });

/**
 * @param manifest text of the packaged `package.json`, which differs from the one that the app was built with
 */
export function updateFeedOf(manifest: string): string | null {
  return packaged.parse(JSON.parse(manifest)).tandem.updateFeed;
}
