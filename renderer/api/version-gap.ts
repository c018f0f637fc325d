/** Which version the page was made for: a gateway serves the page of its own, until one of the two is replaced alone. */

export interface VersionGap {
  readonly page: string;
  readonly gateway: string;
  /** Loading the page again helps when the gateway is the newer one; else the gateway has to be started again. */
  readonly newer: 'page' | 'gateway';
}

const partsOf = (version: string) => version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0);

/** Semantic versions by their numbers. What differs in nothing but a suffix counts as a newer gateway: a reload is cheap. */
function isLater(one: string, other: string): boolean {
  const others = partsOf(other);
  for (const [index, part] of partsOf(one).entries()) {
    const difference = part - (others[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** null: they are of one version, or it is not known yet. */
export function versionGap(page: string | null, gateway: string | undefined): VersionGap | null {
  if (gateway === undefined || page === null || gateway === page) return null;
  return { page, gateway, newer: isLater(page, gateway) ? 'page' : 'gateway' };
}
