/** Limits that the consent page offers, and their explanations. The rules are in `oauth/interactions.ts`. */
import type { Auth } from '../../auth/auth.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import {
  PRESET_NAMES,
  PRESET_TITLES,
  presetMandate,
  proposedMandate,
} from '../../contract/mandate-presets.ts';
import { mandateSentences } from '../../contract/mandate-words.ts';
import {
  type InteractionTermsBody,
  readInteractionTerms,
  sayInteractionTerms,
} from '../../contract/oauth.ts';
import { moneyWord } from '../../domain/money.ts';
import { agentName } from '../../domain/oauth.ts';
import type { Clock } from '../../engine/ports/system.ts';
import { beyondProposal, type OpenInteraction } from '../../oauth/interactions.ts';
import { nameComparison } from '../../oauth/lineage.ts';
import type { OAuth } from '../../oauth/oauth.ts';
import { keptProposal } from '../../oauth/proposal.ts';
import { withNonce } from '../key-proof.ts';
import { type AccountPlaces, capsOf, venueName } from '../present/account-caps.ts';
import { iso } from '../present/time.ts';
import { interactionRefusal } from './interaction.ts';
import { checkedMandate, namedAccounts } from './mandate-input.ts';
import { sessionOf } from './session-principal.ts';

/** A future agent: the arming of an account depends on nothing but its kind. */
const AN_AGENT = { authorityKind: 'oauth_grant', authorityId: null } as const;

export function interactionTermRoutes(
  auth: Pick<Auth, 'accounts' | 'proofs'>,
  { interactions, grants }: Pick<OAuth, 'interactions' | 'grants'>,
  clock: Pick<Clock, 'now'>,
  places: AccountPlaces,
): readonly BoundRoute[] {
  async function awaiting(uid: string, userId: string): Promise<OpenInteraction> {
    const open = await interactions.awaiting(uid, userId);
    if (!open.ok) throw interactionRefusal(open.error);
    return open.value;
  }
  const own = () => ({ 'cache-control': 'no-store', ...withNonce(auth.proofs) });

  return [
    bind(readInteractionTerms, async ({ params, principal }) => {
      const { userId } = sessionOf(principal);
      const { interaction, client } = await awaiting(params.uid, userId);
      const accounts = namedAccounts(auth, principal);
      const now = clock.now();
      const isSameName = await nameComparison();
      const saying = (mandate: ReturnType<typeof presetMandate>) => ({
        mandate,
        sentences: [...mandateSentences(mandate, accounts)],
      });
      const asked = keptProposal(interaction.proposal);
      const body: InteractionTermsBody = {
        accounts: auth.accounts.list(principal).map((account) => ({
          id: account.id,
          alias: account.alias,
          money: moneyWord(auth.accounts.moneyOf(account)),
          venue: venueName(places, account.connector),
          caps: capsOf(places, account, AN_AGENT),
        })),
        presets: PRESET_NAMES.map((name) => ({
          name,
          title: PRESET_TITLES[name],
          ...saying(presetMandate(name, accounts, now)),
        })),
        proposal: asked === null ? null : { asked, ...saying(proposedMandate(asked, accounts, now)) },
        continues: grants
          .continuedBy({ userId, clientId: client.id, clientName: client.name }, isSameName)
          .flatMap((id) => {
            const grant = grants.get(id);
            if (grant === undefined) return [];
            return [{ id, connectedAt: iso(grant.connectedAt), active: grants.status(id) === 'active' }];
          }),
        full: interactions.isFull(userId),
        connected: grants.activeOf(userId).map((grant) => {
          const seen = grants.lastSeen(grant.id);
          return {
            id: grant.id,
            name: agentName(grant),
            connectedAt: iso(grant.connectedAt),
            lastSeenAt: seen === null ? null : iso(seen),
          };
        }),
      };
      return { headers: own(), body };
    }),

    bind(sayInteractionTerms, async ({ params, principal, body }) => {
      const { interaction } = await awaiting(params.uid, sessionOf(principal).userId);
      const mandate = checkedMandate(auth, principal, body.mandate, clock.now());
      const fields = beyondProposal(
        interaction,
        { mandate, asProposed: body.asProposed === true },
        clock.now(),
      );
      if (fields.length > 0) throw interactionRefusal({ kind: 'beyond_proposal', fields });
      return {
        headers: own(),
        body: { mandate, sentences: [...mandateSentences(mandate, namedAccounts(auth, principal))] },
      };
    }),
  ];
}
