import { expect } from 'chai';
import {
  CODE_TRANSITIONS,
  codeState,
  GRANT_TRANSITIONS,
  grantState,
  INTERACTION_TRANSITIONS,
  interactionState,
  type OAuthCode,
  type OAuthGrant,
  type OAuthInteraction,
} from '../../../gateway/domain/oauth.ts';

const NOW = 1_000_000;

const interaction: OAuthInteraction = {
  uid: 'u',
  clientId: 'c',
  redirectUri: 'https://agent.example/',
  scopes: [],
  state: null,
  codeChallenge: 'x',
  proposal: null,
  prompt: 'LOGIN',
  userId: null,
  createdAt: 0,
  expiresAt: NOW,
};
const code: OAuthCode = {
  codeHash: 'h',
  grantId: 'g',
  clientId: 'c',
  redirectUri: 'https://agent.example/',
  codeChallenge: 'x',
  expiresAt: NOW,
  redeemedAt: null,
};
const grant: OAuthGrant = {
  id: 'g',
  userId: 'u',
  clientId: 'c',
  clientName: null,
  scopes: [],
  status: 'PENDING',
  connectedAt: 0,
  expiresAt: NOW,
  revokedAt: null,
  leftWaiting: null,
  continues: [],
};

describe('OAuth lifecycles', () => {
  it('an interaction, a code and a grant end at their time to the millisecond', () => {
    expect(interactionState(interaction, NOW - 1)).to.equal('LOGIN');
    expect(interactionState(interaction, NOW)).to.equal('ENDED');
    expect(codeState(code, NOW - 1)).to.equal('ISSUED');
    expect(codeState(code, NOW)).to.equal('LAPSED');
    expect(codeState({ ...code, redeemedAt: 1 }, NOW - 1)).to.equal('REDEEMED');
    expect(grantState(grant, NOW - 1)).to.equal('PENDING');
    expect(grantState(grant, NOW)).to.equal('LAPSED');
    expect(grantState({ ...grant, status: 'ACTIVE' }, NOW)).to.equal('EXPIRED');
    expect(grantState({ ...grant, status: 'REVOKED' }, NOW)).to.equal('REVOKED');
  });

  it('nothing leads out of an end', () => {
    expect(INTERACTION_TRANSITIONS.ENDED).to.deep.equal({});
    for (const end of ['REDEEMED', 'LAPSED'] as const) expect(CODE_TRANSITIONS[end]).to.deep.equal({});
    for (const end of ['REVOKED', 'LAPSED', 'EXPIRED'] as const)
      expect(GRANT_TRANSITIONS[end]).to.deep.equal({});
  });
});
