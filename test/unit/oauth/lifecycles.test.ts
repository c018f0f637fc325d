import { expect } from 'chai';
import {
  CODE_TRANSITIONS,
  codeState,
  GRANT_TRANSITIONS,
  grantState,
  INTERACTION_TRANSITIONS,
  interactionState,
} from '../../../gateway/domain/oauth.ts';
import { codeOf, grantOf, interaction } from '../../support/oauth-records.ts';

const NOW = 1_000_000;

const asked = interaction({ expiresAt: NOW });
const grant = grantOf('user', { expiresAt: NOW });
const code = codeOf(grant);

describe('OAuth lifecycles', () => {
  it('an interaction, a code and a grant end at their time to the millisecond', () => {
    expect(interactionState(asked, NOW - 1)).to.equal('LOGIN');
    expect(interactionState(asked, NOW)).to.equal('ENDED');
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
