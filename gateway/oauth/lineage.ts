/**
 * Grants that share one budget. A client that registers anew gets a new grant, which must not be a new budget: it
 * continues the grants of a client of the same name, and what any of them uses counts for all.
 */
import { withoutHidden } from '../contract/plain-text.ts';
import { agentName, type OAuthGrant } from '../domain/oauth.ts';

/** Letters of Cyrillic and Greek that look like Latin ones (Unicode UTS 39, of lower case). */
const ALIKE: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkтtмmнhвbгrпnοoνvαaρpυuιiκkτtηn'.matchAll(/(.)(.)/gu)].map(
    ([, one = '', latin = '']) => [one, latin],
  ),
);

/** Name of a client without differences that are not seen: case, marks, spaces, signs, letters of other scripts. */
function budgetName(grant: Pick<OAuthGrant, 'clientName' | 'clientId'>): string {
  const name = withoutHidden(agentName(grant)).normalize('NFKD').toLowerCase();
  const letters = name.replace(/[^\p{L}\p{N}]/gu, '');
  return letters === '' ? name : [...letters].map((letter) => ALIKE.get(letter) ?? letter).join('');
}

/**
 * Grants that a new one of this client continues: the newest of its name, and what that one continues. A grant whose
 * user wanted a fresh budget continues nothing, so those before it stay behind.
 */
export function continuedBy(
  client: Pick<OAuthGrant, 'userId' | 'clientName' | 'clientId'>,
  grants: Iterable<OAuthGrant>,
): readonly string[] {
  const name = budgetName(client);
  let newest: OAuthGrant | null = null;
  for (const grant of grants) {
    if (grant.userId !== client.userId || budgetName(grant) !== name) continue;
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
