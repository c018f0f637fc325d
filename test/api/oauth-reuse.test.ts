/** Refresh tokens and codes that come a second time: who holds them, the agent or a thief, nobody can tell. */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import { grantDeskForEachTest } from '../support/grant-desk.ts';
import type { Json } from '../support/json.ts';
import { newPkce } from '../support/oauth-client.ts';

/** A client's own race or retry comes within this. */
const RACE_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('OAuth secrets that come again', () => {
  const desk = grantDeskForEachTest();
  const { disk, gateway, visitor, agent } = desk;

  const read = async (token: string): Promise<string | number> => {
    const answer = await desk.read(token);
    return answer.status === 200 ? 200 : answer.json.message;
  };
  const said = ({ status, json }: TestAnswer): readonly unknown[] => [
    status,
    json.error,
    json.error_description,
  ];
  const INVALID_TOKEN = [400, 'invalid_grant', 'The refresh token is invalid or has expired'];
  const INVALID_CODE = [400, 'invalid_grant', 'The authorization code is invalid or has expired'];
  const REVOKED = [400, 'invalid_request', 'Token has been revoked'];
  const NOT_ANY_MORE = 'Token has been revoked';
  const logged = async (): Promise<Json[]> => (await desk.asUser('GET', '/audit-log')).json.auditEntries;

  /** @returns the agent's first tokens and those of its first refresh */
  async function refreshed(): Promise<{ clientId: string; first: Json; second: Json }> {
    const { clientId, ...first } = await agent.connect(visitor);
    const second = await agent.refresh(clientId, first.refresh_token);
    expect(second.status, second.text).to.equal(200);
    return { clientId, first, second: second.json };
  }

  describe('a rotated refresh token', () => {
    it('ends the grant with all its tokens, and the user is told; the answer is that of the service', async () => {
      const { clientId, first, second } = await refreshed();
      gateway.clock.leap(RACE_MS);
      expect(said(await agent.refresh(clientId, first.refresh_token))).to.deep.equal(INVALID_TOKEN);
      expect(said(await agent.refresh(clientId, second.refresh_token))).to.deep.equal(REVOKED);
      for (const token of [first.access_token, second.access_token])
        expect(await read(token)).to.equal(NOT_ANY_MORE);
      expect(said(await agent.refresh(clientId, first.refresh_token)), 'and again').to.deep.equal(
        INVALID_TOKEN,
      );

      const [entry, connected] = await logged();
      expect(entry).to.include({ action: 'agent.token_reused', method: 'oauth_client', client: clientId });
      expect(entry?.subjectId).to.equal(connected?.subjectId);
      const { notifications } = (await desk.asUser('GET', '/notifications')).json;
      expect(notifications[0].category).to.equal('AGENT_REVOKED');
    });

    it('within ten seconds, while nobody has used its successor, is a race of the client with itself', async () => {
      const { clientId, first, second } = await refreshed();
      gateway.clock.leap(RACE_MS - 2_000);
      expect(said(await agent.refresh(clientId, first.refresh_token))).to.deep.equal(INVALID_TOKEN);
      expect(await read(second.access_token)).to.equal(200);
      expect((await agent.refresh(clientId, second.refresh_token)).status).to.equal(200);
    });

    it('within ten seconds, but after its successor was used, ends the grant', async () => {
      const { clientId, first, second } = await refreshed();
      const third = await agent.refresh(clientId, second.refresh_token);
      expect(said(await agent.refresh(clientId, first.refresh_token))).to.deep.equal(INVALID_TOKEN);
      expect(said(await agent.refresh(clientId, third.json.refresh_token))).to.deep.equal(REVOKED);
    });

    it('from the hands of another client ends the grant at once', async () => {
      const { clientId, first, second } = await refreshed();
      const other = await agent.register();
      expect(said(await agent.refresh(other, first.refresh_token))).to.deep.equal(INVALID_TOKEN);
      expect(said(await agent.refresh(clientId, second.refresh_token))).to.deep.equal(REVOKED);
    });

    it('is known for as long as the grant lives, across restarts @long', async () => {
      const { clientId, first, second } = await refreshed();
      let current: string = second.refresh_token;
      for (let month = 0; month < 4; month += 1) {
        gateway.clock.leap(29 * DAY_MS);
        await gateway.restart();
        const next = await agent.refresh(clientId, current);
        expect(next.status, next.text).to.equal(200);
        current = next.json.refresh_token;
      }
      expect(said(await agent.refresh(clientId, first.refresh_token))).to.deep.equal(INVALID_TOKEN);
      await gateway.restart();
      expect(said(await agent.refresh(clientId, current))).to.deep.equal(REVOKED);
    });

    it('ends one grant and no other, and what nobody was given ends none', async () => {
      const other = await refreshed();
      const { clientId, first } = await refreshed();
      gateway.clock.leap(RACE_MS);
      await agent.refresh(clientId, first.refresh_token);
      for (const token of ['unknown', 'x.y', '.', `.${first.refresh_token}`])
        expect(said(await agent.refresh(clientId, token))).to.deep.equal(INVALID_TOKEN);
      expect(await read(other.second.access_token)).to.equal(200);
    });

    it('while the disk is full refuses the tokens of the grant until it has ended', async () => {
      const { clientId, first, second } = await refreshed();
      gateway.clock.leap(RACE_MS);
      disk.isFull = true;
      expect(said(await agent.refresh(clientId, first.refresh_token))).to.deep.equal(INVALID_TOKEN);
      expect(await read(second.access_token)).to.equal('Token revocation status unavailable');
    });
  });

  describe('a redeemed code', () => {
    it('with its verifier, later than ten seconds, ends what it has made; the answer is that of the service', async () => {
      const authorization = await agent.authorize(visitor);
      const tokens = (await agent.redeem(authorization)).json;
      gateway.clock.leap(RACE_MS);
      expect(said(await agent.redeem(authorization))).to.deep.equal(INVALID_CODE);
      expect(await read(tokens.access_token)).to.equal(NOT_ANY_MORE);
      expect(said(await agent.refresh(authorization.clientId, tokens.refresh_token))).to.deep.equal(REVOKED);
      expect((await logged())[0]).to.include({ action: 'agent.code_replayed', method: 'oauth_client' });
    });

    it('also when its own minute is over, and across a restart', async () => {
      const authorization = await agent.authorize(visitor);
      const tokens = (await agent.redeem(authorization)).json;
      gateway.clock.leap(HOUR_MS);
      await gateway.restart();
      expect(said(await agent.redeem(authorization))).to.deep.equal(INVALID_CODE);
      expect(said(await agent.refresh(authorization.clientId, tokens.refresh_token))).to.deep.equal(REVOKED);
    });

    it('within ten seconds is a race that has its winner', async () => {
      const authorization = await agent.authorize(visitor);
      const tokens = (await agent.redeem(authorization)).json;
      gateway.clock.leap(RACE_MS - 2_000);
      expect(said(await agent.redeem(authorization))).to.deep.equal(INVALID_CODE);
      expect(await read(tokens.access_token)).to.equal(200);
    });

    it('without its verifier ends nothing: the code alone is seen by more than the agent', async () => {
      const authorization = await agent.authorize(visitor);
      const tokens = (await agent.redeem(authorization)).json;
      gateway.clock.leap(RACE_MS);
      const guessed = { ...authorization, verifier: newPkce().verifier };
      expect(said(await agent.redeem(guessed))).to.deep.equal(INVALID_CODE);
      expect(await read(tokens.access_token)).to.equal(200);
    });
  });

  describe('the setting `oauth.grantDays`', () => {
    const EXPIRED = [400, 'invalid_request', 'Token has expired'];

    it('ends a grant so many days after its consent, however often it is refreshed', async () => {
      await gateway.restart({ settings: { oauthGrantDays: 2 } });
      const { clientId, second } = await refreshed();
      gateway.clock.leap(DAY_MS);
      const third = await agent.refresh(clientId, second.refresh_token);
      expect(third.status).to.equal(200);
      gateway.clock.leap(DAY_MS);
      expect(said(await agent.refresh(clientId, third.json.refresh_token))).to.deep.equal(EXPIRED);
    });

    it('is true of grants from before it too', async () => {
      const { clientId, second } = await refreshed();
      gateway.clock.leap(3 * DAY_MS);
      await gateway.restart({ settings: { oauthGrantDays: 2 } });
      expect(said(await agent.refresh(clientId, second.refresh_token))).to.deep.equal(EXPIRED);
    });
  });
});
