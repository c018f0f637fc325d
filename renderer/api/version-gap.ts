/**
 * Version for which the page was built: a gateway serves the page of its own version, unless only one of the two was
 * replaced.
 */

export interface VersionGap {
  readonly page: string;
  readonly gateway: string;
  /** `gateway`: a reload of the page helps; `page`: the gateway has to be restarted. */
  readonly newer: 'page' | 'gateway';
}

const partsOf = (version: string) => version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0);

/**
 * True: the first semantic version is later, by its numbers. False where only the suffixes differ: the caller then
 * takes the gateway for newer, and an unnecessary reload costs little.
 */
function isLater(one: string, other: string): boolean {
  const others = partsOf(other);
  for (const [index, part] of partsOf(one).entries()) {
    const difference = part - (others[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** null: both versions are equal, or one is not known. */
export function versionGap(page: string | null, gateway: string | undefined): VersionGap | null {
  if (gateway === undefined || page === null || gateway === page) return null;
  return { page, gateway, newer: isLater(page, gateway) ? 'page' : 'gateway' };
}
