/**
 * Grants that share one budget. A client that registers again gets a new grant, which must not be a new budget: it
 * continues the grants of a client of the same name, and the usage of any of them counts for all.
 */
import { withoutHidden } from '../contract/plain-text.ts';
import { agentName, type OAuthGrant } from '../domain/oauth.ts';

type Named = Pick<OAuthGrant, 'clientName' | 'clientId'>;

/** Says whether two clients have names that a person may take for one. */
export type IsSameName = (one: Named, other: Named) => boolean;

/** Differences that are not seen are none: case, marks, spaces, signs, letters that look alike (Unicode UTS 39). */
export async function nameComparison(): Promise<IsSameName> {
  const { default: unhomoglyph } = await import('unhomoglyph');
  const read = (named: Named) => {
    const name = withoutHidden(agentName(named)).normalize('NFKD');
    // Folds capital and small letters: an I looks like an l, and an i is an I.
    const letters = unhomoglyph(unhomoglyph(name).toLowerCase()).toLowerCase().replaceAll('i', 'l');
    return [...(letters.replace(/[^\p{L}\p{N}]/gu, '') || letters)];
  };
  return (one, other) => isSameReading(read(one), read(other));
}

/** Among Latin letters, one of another script matches any: such a mix only imitates another name. */
function isSameReading(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  const [isLatin, isOtherLatin] = [one, other].map((name) => name.some(isAscii));
  const isAny = (letter: string, isMixed: boolean | undefined) => isMixed === true && !isAscii(letter);
  return one.every((letter, index) => {
    const beside = other[index] ?? '';
    return letter === beside || isAny(letter, isLatin) || isAny(beside, isOtherLatin);
  });
}

function isAscii(letter: string): boolean {
  return letter < '\u0080';
}

/**
 * Grants that a new one of this client continues: the newest of its name, and those that it continues itself. A grant
 * whose user wanted a fresh budget continues nothing, so those before it stay behind.
 */
export function continuedBy(
  client: Named & Pick<OAuthGrant, 'userId'>,
  grants: Iterable<OAuthGrant>,
  isSameName: IsSameName,
): readonly string[] {
  let newest: OAuthGrant | null = null;
  for (const grant of grants) {
    if (grant.userId !== client.userId || !isSameName(client, grant)) continue;
    if (newest === null || grant.id > newest.id) newest = grant;
  }
  return newest === null ? [] : [newest.id, ...newest.continues];
}

/** Grant → the others that it shares its budget with, however many steps away. */
export function lineages(grants: Iterable<OAuthGrant>): ReadonlyMap<string, readonly string[]> {
  const familyOf = new Map<string, Set<string>>();
  for (const { id, continues } of grants) {
    const family = new Set([id, ...continues]);
    for (const member of [...family]) for (const one of familyOf.get(member) ?? []) family.add(one);
    for (const member of family) familyOf.set(member, family);
  }
  return new Map([...familyOf].map(([id, family]) => [id, [...family].filter((one) => one !== id)]));
}
